//===- MemoryBarrier.h - Barriers that lie in shared memory -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_MEMORYBARRIER_H
#define GPUOCC_LIB_EXECUTE_MEMORYBARRIER_H

#include <cstdint>

namespace gpuocc::execute {

/// What threads do with an mbarrier object.
enum class BarrierStep : uint32_t {
  /// Count: the threads that it waits for.
  Init,
  /// Count arrive; returns the state before.
  Arrive,
  /// Count arrive and never come again.
  ArriveAndDrop,
  /// It waits for Bytes more.
  ExpectBytes,
  /// Bytes have come.
  CompleteBytes,
  /// Has the phase of the state Operand ended?
  Test,
  /// Has the phase with the parity Operand ended?
  TestParity,
  /// Arrivals that the state Operand waits for.
  PendingCount
};

/// Does \p Step with \p Operand at the mbarrier object \p Bits, 64 bits whose
/// form PTX leaves open; \p Bytes more are expected first. The threads of a
/// block run on one core, so that steps need no atomics.
///
/// Source: PTX ISA 8.7, 9.7.13.15.
uint64_t stepMemoryBarrier(uint64_t &Bits, BarrierStep Step, uint64_t Operand,
                           int32_t Bytes);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_MEMORYBARRIER_H
