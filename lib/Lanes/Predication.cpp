//===- Predication.cpp - Blocks that issue with another -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Predication.h"
#include "gpuocc/Kernel/ExecutionProfile.h"

using namespace gpuocc;

void gpuocc::applyPredication(const KernelFacts &Facts,
                              ExecutionProfile &Profile) {
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
}
