//===- gpuocc_nvcc_host.h - What nvcc gives host code ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before sources that clang does not take without it: nvcc declares
// min and max of numbers for host code too, in the global namespace.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_NVCC_HOST_H
#define GPUOCC_NVCC_HOST_H

#ifdef __cplusplus

#define GPUOCC_HOST_MIN_MAX(Type)                                              \
  static inline __attribute__((host)) Type min(Type A, Type B) {               \
    return B < A ? B : A;                                                      \
  }                                                                            \
  static inline __attribute__((host)) Type max(Type A, Type B) {               \
    return A < B ? B : A;                                                      \
  }

GPUOCC_HOST_MIN_MAX(int)
GPUOCC_HOST_MIN_MAX(unsigned)
GPUOCC_HOST_MIN_MAX(long)
GPUOCC_HOST_MIN_MAX(unsigned long)
GPUOCC_HOST_MIN_MAX(long long)
GPUOCC_HOST_MIN_MAX(unsigned long long)
GPUOCC_HOST_MIN_MAX(float)
GPUOCC_HOST_MIN_MAX(double)

#undef GPUOCC_HOST_MIN_MAX

#endif // __cplusplus
#endif // GPUOCC_NVCC_HOST_H
