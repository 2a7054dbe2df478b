//===- gpuocc_nvcc_host.h - What nvcc gives host code ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before sources that clang does not take without it: nvcc includes
// some headers of the C library, declares min and max of numbers for host code
// too, in the global namespace, and has atomic operations and accesses with
// cache hints that clang's headers lack.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_NVCC_HOST_H
#define GPUOCC_NVCC_HOST_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus

#include <chrono>

#define GPUOCC_HOST_MIN_MAX(Type, First, Second)                               \
  static inline __attribute__((host)) Type min(First A, Second B) {            \
    Type C = A, D = B;                                                         \
    return D < C ? D : C;                                                      \
  }                                                                            \
  static inline __attribute__((host)) Type max(First A, Second B) {            \
    Type C = A, D = B;                                                         \
    return C < D ? D : C;                                                      \
  }

// The bundled headers have these for host code, too.
#ifndef GPUOCC_CUDA_SHIM_MATH_H
GPUOCC_HOST_MIN_MAX(int, int, int)
GPUOCC_HOST_MIN_MAX(unsigned, unsigned, unsigned)
GPUOCC_HOST_MIN_MAX(long, long, long)
GPUOCC_HOST_MIN_MAX(unsigned long, unsigned long, unsigned long)
GPUOCC_HOST_MIN_MAX(long long, long long, long long)
GPUOCC_HOST_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
GPUOCC_HOST_MIN_MAX(float, float, float)
GPUOCC_HOST_MIN_MAX(double, double, double)
#endif
GPUOCC_HOST_MIN_MAX(unsigned, int, unsigned)
GPUOCC_HOST_MIN_MAX(unsigned, unsigned, int)
GPUOCC_HOST_MIN_MAX(unsigned long, long, unsigned long)
GPUOCC_HOST_MIN_MAX(unsigned long, unsigned long, long)
GPUOCC_HOST_MIN_MAX(unsigned long long, long long, unsigned long long)
GPUOCC_HOST_MIN_MAX(unsigned long long, unsigned long long, long long)
GPUOCC_HOST_MIN_MAX(double, float, double)
GPUOCC_HOST_MIN_MAX(double, double, float)

#undef GPUOCC_HOST_MIN_MAX

// Orders count as clang counts them; scopes go from the thread to the system.
enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

#define GPUOCC_DEVICE                                                          \
  static inline __attribute__((device)) __attribute__((always_inline))

template <class T>
GPUOCC_DEVICE T __nv_atomic_load_n(T *Place, int Order, int = 0) {
  return __atomic_load_n(Place, Order);
}
template <class T, class U>
GPUOCC_DEVICE void __nv_atomic_store_n(T *Place, U Value, int Order, int = 0) {
  __atomic_store_n(Place, Value, Order);
}
template <class T, class U>
GPUOCC_DEVICE T __nv_atomic_exchange_n(T *Place, U Value, int Order, int = 0) {
  return __atomic_exchange_n(Place, Value, Order);
}
template <class T, class U>
GPUOCC_DEVICE bool __nv_atomic_compare_exchange_n(T *Place, T *Expected,
                                                  U Desired, bool Weak, int Met,
                                                  int NotMet, int = 0) {
  return __atomic_compare_exchange_n(Place, Expected, Desired, Weak, Met,
                                     NotMet);
}

#define GPUOCC_FETCH(Operation)                                                \
  template <class T, class U>                                                  \
  GPUOCC_DEVICE T __nv_atomic_fetch_##Operation(T *Place, U Value, int Order,  \
                                                int = 0) {                     \
    return __atomic_fetch_##Operation(Place, Value, Order);                    \
  }

GPUOCC_FETCH(add)
GPUOCC_FETCH(sub)
GPUOCC_FETCH(and)
GPUOCC_FETCH(or)
GPUOCC_FETCH(xor)
GPUOCC_FETCH(min)
GPUOCC_FETCH(max)

#undef GPUOCC_FETCH

#ifndef GPUOCC_CUDA_SHIM_CACHED_H
// What is hinted (which lines a cache gives up first) is not modelled.
#define GPUOCC_CACHED_LOAD(Name)                                               \
  template <class T> GPUOCC_DEVICE T Name(const T *Place) { return *Place; }
#define GPUOCC_CACHED_STORE(Name)                                              \
  template <class T> GPUOCC_DEVICE void Name(T *Place, T Value) {              \
    *Place = Value;                                                            \
  }

GPUOCC_CACHED_LOAD(__ldca)
GPUOCC_CACHED_LOAD(__ldlu)
GPUOCC_CACHED_LOAD(__ldcv)
GPUOCC_CACHED_STORE(__stwb)
GPUOCC_CACHED_STORE(__stcg)
GPUOCC_CACHED_STORE(__stcs)
GPUOCC_CACHED_STORE(__stwt)

#undef GPUOCC_CACHED_LOAD
#undef GPUOCC_CACHED_STORE
#endif

#undef GPUOCC_DEVICE

#endif // __cplusplus
#endif // GPUOCC_NVCC_HOST_H
