//===- PressureSchedule.h - Orders of straight-line code --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSEMBLER_PRESSURESCHEDULE_H
#define GPUOCC_LIB_ASSEMBLER_PRESSURESCHEDULE_H

#include "StraightCode.h"
#include "llvm/ADT/BitVector.h"

namespace gpuocc {

/// Code of one block with what is alive behind it.
struct ScheduleInput {
  const KernelFacts &Facts;
  const StraightCode &Code;
  const RegisterValues &Values;
  /// Values alive at the end, fresh ones included.
  const llvm::BitVector &LiveOut;

  uint32_t numValues() const {
    return Values.size() + uint32_t(Code.FreshWords.size());
  }
  unsigned words(uint32_t V) const {
    return V < Values.size() ? Values.words(V)
                             : Code.FreshWords[V - Values.size()];
  }
};

/// The order in which an assembler that hides latencies issues the code, as
/// indices of nodes: as late as the latencies to those that wait for a node
/// allow, the longest path before it deciding between nodes. (ptxas 13.0 moves
/// loads up, but leaves arithmetic that has time next to its use.)
std::vector<uint32_t> scheduleForLatency(const ScheduleInput &In);

/// The order of an assembler that saves registers: always what lets most of
/// them die.
std::vector<uint32_t> scheduleForRegisters(const ScheduleInput &In);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSEMBLER_PRESSURESCHEDULE_H
