//===- atomics.h - Atomic operations on memory -----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relaxed, device-wide operations that return the old value, as CUDA's are.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_ATOMICS_H
#define GPUOCC_CUDA_SHIM_ATOMICS_H

#define GPUOCC_SHIM_DEVICE                                                     \
  static inline __attribute__((device, always_inline, nodebug))
#define GPUOCC_SHIM_SCOPE __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE

#define GPUOCC_SHIM_ATOMIC(Name, Operation, Type)                              \
  GPUOCC_SHIM_DEVICE Type Name(Type *address, Type value) {                    \
    return __scoped_atomic_##Operation(address, value, GPUOCC_SHIM_SCOPE);     \
  }
#define GPUOCC_SHIM_ATOMIC_INTEGERS(Name, Operation)                           \
  GPUOCC_SHIM_ATOMIC(Name, Operation, int)                                     \
  GPUOCC_SHIM_ATOMIC(Name, Operation, unsigned int)                            \
  GPUOCC_SHIM_ATOMIC(Name, Operation, unsigned long long)

GPUOCC_SHIM_ATOMIC_INTEGERS(atomicAdd, fetch_add)
GPUOCC_SHIM_ATOMIC(atomicAdd, fetch_add, float)
GPUOCC_SHIM_ATOMIC(atomicAdd, fetch_add, double)
GPUOCC_SHIM_ATOMIC(atomicSub, fetch_sub, int)
GPUOCC_SHIM_ATOMIC(atomicSub, fetch_sub, unsigned int)
GPUOCC_SHIM_ATOMIC_INTEGERS(atomicMin, fetch_min)
GPUOCC_SHIM_ATOMIC_INTEGERS(atomicMax, fetch_max)
GPUOCC_SHIM_ATOMIC_INTEGERS(atomicAnd, fetch_and)
GPUOCC_SHIM_ATOMIC_INTEGERS(atomicOr, fetch_or)
GPUOCC_SHIM_ATOMIC_INTEGERS(atomicXor, fetch_xor)
GPUOCC_SHIM_ATOMIC_INTEGERS(atomicExch, exchange_n)

#define GPUOCC_SHIM_ATOMIC_CAS(Type)                                           \
  GPUOCC_SHIM_DEVICE Type atomicCAS(Type *address, Type expected,              \
                                    Type desired) {                            \
    __scoped_atomic_compare_exchange_n(address, &expected, desired,            \
                                       /*weak=*/false, __ATOMIC_RELAXED,       \
                                       GPUOCC_SHIM_SCOPE);                     \
    return expected;                                                           \
  }

GPUOCC_SHIM_ATOMIC_CAS(int)
GPUOCC_SHIM_ATOMIC_CAS(unsigned int)
GPUOCC_SHIM_ATOMIC_CAS(unsigned long long)

#undef GPUOCC_SHIM_ATOMIC_CAS
#undef GPUOCC_SHIM_ATOMIC_INTEGERS
#undef GPUOCC_SHIM_ATOMIC
#undef GPUOCC_SHIM_SCOPE
#undef GPUOCC_SHIM_DEVICE

#endif // GPUOCC_CUDA_SHIM_ATOMICS_H
