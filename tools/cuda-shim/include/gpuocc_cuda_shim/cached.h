//===- cached.h - Loads and stores that name a cache policy ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is an access as any other: which lines a cache gives up first is not
// modelled.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_CACHED_H
#define GPUOCC_CUDA_SHIM_CACHED_H

#define GPUOCC_SHIM_DEVICE                                                     \
  static inline __attribute__((device, always_inline, nodebug))

#define GPUOCC_SHIM_LOAD(Name)                                                 \
  template <class T> GPUOCC_SHIM_DEVICE T Name(const T *address) {             \
    return *address;                                                           \
  }
#define GPUOCC_SHIM_STORE(Name)                                                \
  template <class T> GPUOCC_SHIM_DEVICE void Name(T *address, T value) {       \
    *address = value;                                                          \
  }

GPUOCC_SHIM_LOAD(__ldg)
GPUOCC_SHIM_LOAD(__ldca)
GPUOCC_SHIM_LOAD(__ldcg)
GPUOCC_SHIM_LOAD(__ldcs)
GPUOCC_SHIM_LOAD(__ldlu)
GPUOCC_SHIM_LOAD(__ldcv)
GPUOCC_SHIM_STORE(__stwb)
GPUOCC_SHIM_STORE(__stcg)
GPUOCC_SHIM_STORE(__stcs)
GPUOCC_SHIM_STORE(__stwt)

#undef GPUOCC_SHIM_STORE
#undef GPUOCC_SHIM_LOAD
#undef GPUOCC_SHIM_DEVICE

#endif // GPUOCC_CUDA_SHIM_CACHED_H
