//===- LoopTurns.h - Warps that run one loop together -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LOOPTURNS_H
#define GPUOCC_LIB_MODEL_LOOPTURNS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace gpuocc {

/// An instruction of the body of a loop, as its scheduler sees it.
struct LoopInstruction {
  /// Cycles in which the scheduler issues nothing else, and in which pipe
  /// number Pipe takes nothing else from this scheduler.
  double IssueCycles = 1, PipeCycles = 1;
  uint8_t Pipe = 0;
  /// Cycles until the warp can issue its next instruction.
  double NextCycles = 1;
  /// Cycles until the result can be used.
  double LatencyCycles = 0;
  /// False for what takes no instruction: it is there when its inputs are.
  bool IsIssued = true;
  struct Input {
    /// The instruction that makes it; of the pass before, unless it is earlier
    /// in the body.
    uint32_t Index = 0;
    double ExtraLatencyCycles = 0;
  };
  llvm::SmallVector<Input, 3> Inputs;
};

/// Cycles from one pass through \p Body to the next, of any warp of a
/// scheduler, when 1, 2, ... warps take turns in the loop: element k - 1 is for
/// k of them. The last holds for more warps too: it is \p LeastCycles, what the
/// busiest resource takes for a pass, or that for \p MaxWarps.
///
/// The instructions of warps that begin at places of their own are issued one
/// by one. Where several can issue, chance decides (always the same): what a
/// scheduler prefers is not published, and any fixed rule falls into patterns
/// that hang on single cycles. On an H200 the machine code of one or two chains
/// of special functions and additions runs within 7 % of what comes out, at
/// any number of warps; taking the warps for independent is off by 20 %.
std::vector<double> cyclesBetweenPasses(llvm::ArrayRef<LoopInstruction> Body,
                                        unsigned MaxWarps, double LeastCycles);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LOOPTURNS_H
