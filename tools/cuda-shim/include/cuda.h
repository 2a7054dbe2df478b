//===- cuda.h - Stands in for the driver's header --------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types alone: a source that calls the driver needs a toolkit to be read.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_CUDA_H
#define GPUOCC_CUDA_SHIM_CUDA_H

#include "gpuocc_cuda_shim.h"

/// The release whose declarations the headers beside this one follow.
#define CUDA_VERSION 12000

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;

#endif // GPUOCC_CUDA_SHIM_CUDA_H
