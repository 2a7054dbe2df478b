//===- BlockSchedule.h - The order that an assembler gives code -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_BLOCKSCHEDULE_H
#define GPUOCC_LIB_MODEL_LATENCY_BLOCKSCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <limits>
#include <vector>

namespace gpuocc {

/// An operation of straight code, as an assembler sees it.
struct ScheduleNode {
  double LatencyCycles = 0;
  /// Cycles of the scheduler, and of pipe number Pipe.
  double IssueCycles = 1;
  double PipeCycles = 1;
  uint8_t Pipe = 0;
  /// A result that it uses.
  struct Input {
    Input(uint32_t Index, double ExtraLatencyCycles = 0)
        : Index(Index), ExtraLatencyCycles(ExtraLatencyCycles) {}
    uint32_t Index;
    /// What the result takes to get here beyond its latency.
    double ExtraLatencyCycles;
  };
  /// Operations whose results it uses, and those that it must only follow; all
  /// of them earlier in program order.
  llvm::SmallVector<Input, 3> Inputs;
  llvm::SmallVector<uint32_t, 3> After;
  /// Values that it reads from registers, and that it makes: numbers of
  /// CodeRegisters. Empty where those are not known.
  llvm::SmallVector<uint32_t, 2> Uses, Defs;
  /// What it makes comes late.
  bool IsLoad = false;
};

/// The registers of straight code.
struct CodeRegisters {
  struct Value {
    uint8_t Words = 0;
    /// It stays alive behind the code.
    bool IsKept = false;
  };
  std::vector<Value> Values;
  /// Registers of what is alive before the code, and all that there are.
  unsigned AliveBefore = 0;
  unsigned Limit = std::numeric_limits<unsigned>::max();

  /// False where nothing waits for registers; values may then be unknown.
  bool isLimited() const {
    return Limit != std::numeric_limits<unsigned>::max();
  }
};

/// The order in which an optimizing assembler issues \p Code: of the operations
/// whose operands and pipe are there the one with the longest path below it, in
/// program order on ties; where there is none, time passes.
///
/// Source: list scheduling, longest path first (Gibbons and Muchnick 1986).
/// That ptxas keeps the clock and the time of pipes shows in four chains of
/// special functions and additions, which it staggers so that the pipe never
/// idles.
///
/// What finds no register of \p Registers free waits for others, which free
/// some, unless nothing else is left: of four loads of 16 bytes in a loop that
/// has 15 registers besides in use, ptxas 13.0 issues two before the first use
/// and two behind it (test/accuracy/cures/nbody.cu, 32 registers). What leads
/// to no load leaves registers to the loads to come, and issues while data are
/// awaited: of loads and stores in turn, ptxas computes the address of each
/// store behind the loads before it (planes.cu). Where the code as it is
/// written needs more than there are, so many are taken to be there.
std::vector<uint32_t> issueOrder(llvm::ArrayRef<ScheduleNode> Code,
                                 const CodeRegisters &Registers = {});

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_BLOCKSCHEDULE_H
