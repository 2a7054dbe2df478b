//===- Predication.cpp - Blocks that issue with another -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Predication.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Regions.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Whether \p Block does nothing but end the warp.
static bool onlyExits(const KernelFacts &Facts, uint32_t Block) {
  const gpuocc::BasicBlock &B = Facts.Blocks[Block];
  if (!B.Successors.empty())
    return false;
  unsigned Exits = 0;
  for (const Operation &Op :
       ArrayRef(Facts.Operations).slice(B.FirstOp, B.NumOps))
    for (const Emission &E : Op.Emits) {
      if (E.Class != InstClass::Exit)
        return false;
      ++Exits;
    }
  return Exits == 1;
}

void gpuocc::applyPredicatedExits(const KernelFacts &Facts,
                                  ExecutionProfile &Profile) {
  std::vector<unsigned> NumPredecessors(Facts.Blocks.size());
  for (const gpuocc::BasicBlock &B : Facts.Blocks)
    for (uint32_t S : B.Successors)
      ++NumPredecessors[S];
  for (const Branch &B : Facts.Branches) {
    if (B.Indexed || B.Targets.size() != 2 || B.Block == NoIndex)
      continue;
    for (unsigned Side : {0u, 1u}) {
      const uint32_t End = B.Targets[Side], GoesOn = B.Targets[1 - Side];
      // Of a block that is entered here alone is known how many warps go on.
      if (End == NoIndex || GoesOn == NoIndex || End == GoesOn ||
          NumPredecessors[GoesOn] != 1 ||
          Facts.Blocks[GoesOn].PredicatedInto != NoIndex ||
          !onlyExits(Facts, End))
        continue;
      auto Fold = [&](double &OfEnd, double OfBranch, double OfGoesOn) {
        OfEnd = std::max(0.0, OfEnd - std::max(0.0, OfBranch - OfGoesOn));
      };
      Fold(Profile.Blocks[End].ExecutionsPerWarp,
           Profile.Blocks[B.Block].ExecutionsPerWarp,
           Profile.Blocks[GoesOn].ExecutionsPerWarp);
      for (WarpSample &S : Profile.Samples)
        Fold(S.BlockExecutions[End], S.BlockExecutions[B.Block],
             S.BlockExecutions[GoesOn]);
    }
  }
}

void gpuocc::applyPredication(const KernelFacts &Facts,
                              ExecutionProfile &Profile) {
  const std::vector<WarpSample> Before = Profile.Samples;
  for (size_t I = 0; I != Facts.Blocks.size(); ++I) {
    const uint32_t Into = issuingBlock(Facts, I);
    if (Into == I)
      continue;
    BlockProfile &B = Profile.Blocks[I];
    double Issues = Profile.Blocks[Into].ExecutionsPerWarp;
    if (Issues > 0)
      B.ActiveLaneFraction *= B.ExecutionsPerWarp / Issues;
    B.ExecutionsPerWarp = Issues;
    for (WarpSample &S : Profile.Samples)
      S.BlockExecutions[I] = S.BlockExecutions[Into];
  }
  for (size_t K = 0; K != Before.size(); ++K) {
    WarpSample &S = Profile.Samples[K];
    for (size_t A = 0; A != S.RequestShares.size(); ++A) {
      const uint32_t Op = Facts.Accesses[A].Op;
      if (Op >= Facts.Operations.size() || S.RequestShares[A] <= 0)
        continue;
      const uint32_t Block = Facts.Operations[Op].Block;
      if (S.BlockExecutions[Block] > 0)
        S.RequestShares[A] *= std::min(1.0, Before[K].BlockExecutions[Block] /
                                                S.BlockExecutions[Block]);
    }
  }
}
