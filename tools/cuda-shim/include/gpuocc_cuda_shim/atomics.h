//===- atomics.h - Atomic operations on memory -----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relaxed operations that return the old value, as CUDA's are: of the device,
// and by names that end in _block and _system of these.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_ATOMICS_H
#define GPUOCC_CUDA_SHIM_ATOMICS_H

#define GPUOCC_SHIM_DEVICE                                                     \
  static inline __attribute__((device, always_inline, nodebug))

#define GPUOCC_SHIM_ATOMIC_IN(Name, Operation, Type, Scope)                    \
  GPUOCC_SHIM_DEVICE Type Name(Type *address, Type value) {                    \
    return __scoped_atomic_##Operation(address, value, __ATOMIC_RELAXED,       \
                                       Scope);                                 \
  }
#define GPUOCC_SHIM_ATOMIC(Name, Operation, Type)                              \
  GPUOCC_SHIM_ATOMIC_IN(Name, Operation, Type, __MEMORY_SCOPE_DEVICE)          \
  GPUOCC_SHIM_ATOMIC_IN(Name##_block, Operation, Type, __MEMORY_SCOPE_WRKGRP)  \
  GPUOCC_SHIM_ATOMIC_IN(Name##_system, Operation, Type, __MEMORY_SCOPE_SYSTEM)
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

#define GPUOCC_SHIM_ATOMIC_CAS_IN(Name, Type, Scope)                           \
  GPUOCC_SHIM_DEVICE Type Name(Type *address, Type expected, Type desired) {   \
    __scoped_atomic_compare_exchange_n(address, &expected, desired,            \
                                       /*weak=*/false, __ATOMIC_RELAXED,       \
                                       __ATOMIC_RELAXED, Scope);               \
    return expected;                                                           \
  }
#define GPUOCC_SHIM_ATOMIC_CAS(Type)                                           \
  GPUOCC_SHIM_ATOMIC_CAS_IN(atomicCAS, Type, __MEMORY_SCOPE_DEVICE)            \
  GPUOCC_SHIM_ATOMIC_CAS_IN(atomicCAS_block, Type, __MEMORY_SCOPE_WRKGRP)      \
  GPUOCC_SHIM_ATOMIC_CAS_IN(atomicCAS_system, Type, __MEMORY_SCOPE_SYSTEM)

GPUOCC_SHIM_ATOMIC_CAS(int)
GPUOCC_SHIM_ATOMIC_CAS(unsigned int)
GPUOCC_SHIM_ATOMIC_CAS(unsigned long long)

// Increments that wrap have an instruction, which no builtin has for all
// scopes.
GPUOCC_SHIM_DEVICE unsigned int atomicInc(unsigned int *address,
                                          unsigned int limit) {
  return __nvvm_atom_inc_gen_ui(address, limit);
}
GPUOCC_SHIM_DEVICE unsigned int atomicDec(unsigned int *address,
                                          unsigned int limit) {
  return __nvvm_atom_dec_gen_ui(address, limit);
}

#undef GPUOCC_SHIM_ATOMIC_CAS
#undef GPUOCC_SHIM_ATOMIC_CAS_IN
#undef GPUOCC_SHIM_ATOMIC_INTEGERS
#undef GPUOCC_SHIM_ATOMIC
#undef GPUOCC_SHIM_ATOMIC_IN
#undef GPUOCC_SHIM_DEVICE

#endif // GPUOCC_CUDA_SHIM_ATOMICS_H
