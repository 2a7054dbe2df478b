//===- InstructionFetch.h - Loops that are long to fetch --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_INSTRUCTIONFETCH_H
#define GPUOCC_LIB_MODEL_LATENCY_INSTRUCTIONFETCH_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace gpuocc {

class FlatDevice;
struct ExecutionProfile;
struct KernelFacts;

/// What the size of a loop's code does to the warps that run it.
class InstructionFetch {
public:
  /// \p Profile is of the warps that run, \p MostExecutions, by block, of
  /// those of all warps that execute it most.
  InstructionFetch(const KernelFacts &Facts, const ExecutionProfile &Profile,
                   llvm::ArrayRef<double> MostExecutions,
                   const FlatDevice &Device);

  /// Warps that start together do the same at the same time, but for loops that
  /// a scheduler cannot keep at hand: what fetches their code parts them, until
  /// they meet at a barrier.
  bool keepsInStep(uint32_t Block) const;

  /// Cycles that an iteration of loop \p L waits for its code: in sets of the
  /// instruction cache that have one line too many, each line is gone when its
  /// turn comes again. What a line holds is issued meanwhile. Code that no warp
  /// executes takes no room, and warps fetch the sides that they take.
  double waitCycles(uint32_t L) const { return Loops[L].WaitCycles; }

private:
  struct LoopFetch {
    bool KeepsInStep = true;
    double WaitCycles = 0;
  };

  const KernelFacts &Facts;
  std::vector<LoopFetch> Loops;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_INSTRUCTIONFETCH_H
