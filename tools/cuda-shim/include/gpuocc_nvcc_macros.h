//===- gpuocc_nvcc_macros.h - What nvcc defines ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included behind clang's own headers of CUDA, which decide by these macros
// whose compiler they meet, and before a source that nvcc builds: its host code
// chooses launches by them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_NVCC_MACROS_H
#define GPUOCC_NVCC_MACROS_H

#ifdef CUDART_VERSION
// Clang's headers define it as nothing, and sources ask for its value.
#undef __CUDACC__
#define __CUDACC__ 1
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif
#ifndef __CUDA_API_VER_MAJOR__
#define __CUDA_API_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDA_API_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#endif
// What --expt-relaxed-constexpr and --extended-lambda allow is read whether
// they are given or not.
#ifndef __CUDACC_RELAXED_CONSTEXPR__
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif
#ifndef __CUDACC_EXTENDED_LAMBDA__
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif
// Headers of CCCL ask for the closures of such lambdas; clang knows none.
#define __nv_is_extended_device_lambda_closure_type(Type) false
#define __nv_is_extended_host_device_lambda_closure_type(Type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(Type) false

// With NDEBUG these headers declare __assert_fail for hosts and devices both,
// which clang refuses beside its own for devices.
#if defined(__cplusplus) && defined(NDEBUG) &&                                 \
    __has_include(<cuda/std/__cccl/assert.h>)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <cuda/std/__cccl/assert.h>
#pragma pop_macro("NDEBUG")
#endif
#endif

#endif // GPUOCC_NVCC_MACROS_H
