//===- LoopTurns.h - Warps that run one loop together -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_LOOPTURNS_H
#define GPUOCC_LIB_MODEL_LATENCY_LOOPTURNS_H

#include "Numbers/PipeKinds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace gpuocc {

/// An instruction of the body of a loop, as its scheduler sees it.
struct LoopInstruction {
  /// Cycles in which the scheduler issues nothing else, and in which pipe
  /// number Pipe takes nothing else from this scheduler. Of what waits in a
  /// queue, the slots beyond one are taken when the pipe gets it.
  double IssueCycles = 1, PipeCycles = 1;
  uint8_t Pipe = 0;
  /// Cycles of the stage behind that pipe that the schedulers of an SM share;
  /// 0 for what does not pass it.
  double StageCycles = 0;
  PipeQueue Queue;
  /// Cycles until the warp can issue its next instruction.
  double NextCycles = 1;
  /// Cycles from the time that the pipe takes it until the result can be used.
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
/// by one. A scheduler stays with a warp as long as it can issue, and goes to
/// the youngest that can when it cannot. Where the body passes a stage that
/// schedulers share, \p Schedulers of them are followed, which get that stage
/// in turn and begin at the same place, if they are \p InStep.
///
/// Source: Huerta et al., MICRO 2025, "Dissecting and Modeling the Architecture
/// of Modern GPU Cores", for the order of warps; see queueOf for the queues. On
/// an H200 the machine code of one to four chains of special functions or
/// shared loads and additions runs within 1.10 of what comes out, at any number
/// of warps.
std::vector<double> cyclesBetweenPasses(llvm::ArrayRef<LoopInstruction> Body,
                                        unsigned Schedulers, bool InStep,
                                        unsigned MaxWarps, double LeastCycles);

/// Numbers that tell \p Body from others, for which cyclesBetweenPasses may
/// give other answers.
std::vector<double> identityOf(llvm::ArrayRef<LoopInstruction> Body);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_LOOPTURNS_H
