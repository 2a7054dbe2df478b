//===- gpuocc_cuda_shim.h - CUDA without a toolkit -------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a CUDA source takes for granted, for clang 22 on a machine that has no
// CUDA toolkit: keywords, built-in variables, vector types, warp and block
// synchronisation, atomics, mathematics and declarations of the host runtime.
// It serves reading code, not running it: device code compiles to PTX, host
// code compiles but has nothing to link against.
//
// Usage: clang++-22 --config=gpuocc-cuda-shim.cfg -x cuda --cuda-device-only
//        -S kernel.cu
//
// Names that C++ reserves are defined here because CUDA defines them. Functions
// are marked nodebug: what they become belongs to the line that calls them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_H
#define GPUOCC_CUDA_SHIM_H

#ifndef __CUDA__
#error "gpuocc_cuda_shim.h: compile as CUDA, with -x cuda"
#endif

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(N) __attribute__((aligned(N)))

/// Tells a source that what it sees is this header, not a toolkit.
#define GPUOCC_CUDA_SHIM 1

// Sources ask by these whether they include the toolkit's headers.
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__

// What the toolkit's runtime header includes, and sources rely on.
#include <string.h>
#include <time.h>

#include <__clang_cuda_builtin_vars.h>

#include "gpuocc_cuda_shim/vector_types.h"

#include "gpuocc_cuda_shim/atomics.h"
#include "gpuocc_cuda_shim/cached.h"
#include "gpuocc_cuda_shim/device_library.h"
#include "gpuocc_cuda_shim/host_runtime.h"
#include "gpuocc_cuda_shim/math.h"

#include "gpuocc_cuda_shim/double.h"

#include "gpuocc_cuda_shim/overloads.h"
#include "gpuocc_cuda_shim/warp.h"

#endif // GPUOCC_CUDA_SHIM_H
