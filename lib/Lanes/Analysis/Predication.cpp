//===- Predication.cpp - Blocks that issue with another -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Predication.h"
#include "gpuocc/Kernel/ExecutionProfile.h"

using namespace gpuocc;

void gpuocc::applyPredication(const KernelFacts &Facts,
                              ExecutionProfile &Profile) {
  const std::vector<WarpSample> Before = Profile.Samples;
  for (size_t I = 0; I != Facts.Blocks.size(); ++I) {
    uint32_t Into = Facts.Blocks[I].PredicatedInto;
    if (Into == NoIndex)
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
