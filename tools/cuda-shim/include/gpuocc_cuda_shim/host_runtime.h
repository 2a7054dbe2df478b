//===- host_runtime.h - The host side, declared only -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enough of the CUDA runtime's interface for the host part of a source to
// compile, so that its launches can be read. Nothing here is ever linked.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_HOST_RUNTIME_H
#define GPUOCC_CUDA_SHIM_HOST_RUNTIME_H

#include <stddef.h>

enum cudaError { cudaSuccess = 0 };
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};

typedef struct CUstream_st *cudaStream_t;

extern "C" {
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       enum cudaMemcpyKind kind);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t error);

// What clang calls for kernel<<<grid, block, shared, stream>>>(...). It takes
// the first two when it is told of a toolkit before 9.2 or of none, and the
// last two otherwise.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                              cudaStream_t stream = nullptr);
cudaError_t cudaSetupArgument(const void *argument, size_t bytes,
                              size_t offset);
cudaError_t cudaLaunch(const void *function);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                         size_t shared = 0,
                                         void *stream = nullptr);
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                             void **arguments, size_t shared,
                             cudaStream_t stream);
}

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void **>(pointer), bytes);
}

#endif // GPUOCC_CUDA_SHIM_HOST_RUNTIME_H
