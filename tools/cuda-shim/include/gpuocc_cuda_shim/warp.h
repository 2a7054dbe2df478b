//===- warp.h - Barriers, fences and warp primitives -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function is one PTX instruction, named beside it.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_WARP_H
#define GPUOCC_CUDA_SHIM_WARP_H

#define GPUOCC_SHIM_DEVICE                                                     \
  static inline __attribute__((device, always_inline, nodebug))

// __syncthreads() is a compiler builtin: bar.sync 0.

GPUOCC_SHIM_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) {
  __nvvm_bar_warp_sync(mask); // bar.warp.sync
}
GPUOCC_SHIM_DEVICE int __syncthreads_count(int predicate) {
  return __nvvm_bar0_popc(predicate); // barrier.red.popc
}
GPUOCC_SHIM_DEVICE int __syncthreads_and(int predicate) {
  return __nvvm_bar0_and(predicate); // barrier.red.and
}
GPUOCC_SHIM_DEVICE int __syncthreads_or(int predicate) {
  return __nvvm_bar0_or(predicate); // barrier.red.or
}
GPUOCC_SHIM_DEVICE void __nanosleep(unsigned int nanoseconds) {
  asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds)); // nanosleep
}
GPUOCC_SHIM_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
GPUOCC_SHIM_DEVICE void __threadfence() { __nvvm_membar_gl(); }
GPUOCC_SHIM_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

GPUOCC_SHIM_DEVICE int clock() {
  return __nvvm_read_ptx_sreg_clock(); // %clock
}
GPUOCC_SHIM_DEVICE long long clock64() {
  return __nvvm_read_ptx_sreg_clock64(); // %clock64
}

GPUOCC_SHIM_DEVICE unsigned int __activemask() {
  return __nvvm_activemask(); // activemask
}
GPUOCC_SHIM_DEVICE unsigned int __ballot_sync(unsigned int mask,
                                              int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate); // vote.sync.ballot
}
GPUOCC_SHIM_DEVICE int __all_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate); // vote.sync.all
}
GPUOCC_SHIM_DEVICE int __any_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate); // vote.sync.any
}

/// One shuffle for int, unsigned and float. Clamp is the lane limit in bits
/// 0 to 4 of PTX operand c; bits 8 to 12 of c cut the warp into segments of
/// \p width lanes (PTX ISA, shfl.sync).
#define GPUOCC_SHIM_SHUFFLE(Name, Mode, Clamp, Offset)                         \
  GPUOCC_SHIM_DEVICE int Name(unsigned int mask, int value, Offset offset,     \
                              int width = 32) {                                \
    return __nvvm_shfl_sync_##Mode##_i32(mask, value, offset,                  \
                                         (32 - width) << 8 | Clamp);           \
  }                                                                            \
  GPUOCC_SHIM_DEVICE unsigned int Name(unsigned int mask, unsigned int value,  \
                                       Offset offset, int width = 32) {        \
    return __nvvm_shfl_sync_##Mode##_i32(mask, value, offset,                  \
                                         (32 - width) << 8 | Clamp);           \
  }                                                                            \
  GPUOCC_SHIM_DEVICE float Name(unsigned int mask, float value, Offset offset, \
                                int width = 32) {                              \
    return __nvvm_shfl_sync_##Mode##_f32(mask, value, offset,                  \
                                         (32 - width) << 8 | Clamp);           \
  }

/// As above for 64 bits: two shuffles of 32.
#define GPUOCC_SHIM_WIDE_SHUFFLE(Name, Type, Offset)                           \
  GPUOCC_SHIM_DEVICE Type Name(unsigned int mask, Type value, Offset offset,   \
                               int width = 32) {                               \
    int2 halves = __builtin_bit_cast(int2, value);                             \
    halves.x = Name(mask, halves.x, offset, width);                            \
    halves.y = Name(mask, halves.y, offset, width);                            \
    return __builtin_bit_cast(Type, halves);                                   \
  }

GPUOCC_SHIM_SHUFFLE(__shfl_sync, idx, 31, int)
GPUOCC_SHIM_SHUFFLE(__shfl_up_sync, up, 0, unsigned int)
GPUOCC_SHIM_SHUFFLE(__shfl_down_sync, down, 31, unsigned int)
GPUOCC_SHIM_SHUFFLE(__shfl_xor_sync, bfly, 31, int)

#define GPUOCC_SHIM_WIDE_SHUFFLES(Type)                                        \
  GPUOCC_SHIM_WIDE_SHUFFLE(__shfl_sync, Type, int)                             \
  GPUOCC_SHIM_WIDE_SHUFFLE(__shfl_up_sync, Type, unsigned int)                 \
  GPUOCC_SHIM_WIDE_SHUFFLE(__shfl_down_sync, Type, unsigned int)               \
  GPUOCC_SHIM_WIDE_SHUFFLE(__shfl_xor_sync, Type, int)
GPUOCC_SHIM_WIDE_SHUFFLES(double)
GPUOCC_SHIM_WIDE_SHUFFLES(long)
GPUOCC_SHIM_WIDE_SHUFFLES(unsigned long)
GPUOCC_SHIM_WIDE_SHUFFLES(long long)
GPUOCC_SHIM_WIDE_SHUFFLES(unsigned long long)

#undef GPUOCC_SHIM_WIDE_SHUFFLES
#undef GPUOCC_SHIM_WIDE_SHUFFLE
#undef GPUOCC_SHIM_SHUFFLE
#undef GPUOCC_SHIM_DEVICE

#endif // GPUOCC_CUDA_SHIM_WARP_H
