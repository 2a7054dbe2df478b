//===- Regions.cpp - Blocks that are scheduled as one ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/Regions.h"

using namespace gpuocc;

std::vector<Region> gpuocc::regionsOf(const KernelFacts &Facts) {
  std::vector<unsigned> NumPredecessors(Facts.Blocks.size());
  for (const BasicBlock &B : Facts.Blocks)
    for (uint32_t S : B.Successors)
      ++NumPredecessors[S];
  std::vector<bool> IsTaken(Facts.Blocks.size());
  std::vector<Region> Regions;
  for (uint32_t First = 0; First != Facts.Blocks.size(); ++First) {
    if (IsTaken[First])
      continue;
    Region Blocks = {First};
    for (uint32_t Last = First;;) {
      uint32_t Side = NoIndex, Join = NoIndex;
      for (uint32_t S : Facts.Blocks[Last].Successors)
        (Facts.Blocks[S].PredicatedInto == Last ? Side : Join) = S;
      if (Side == NoIndex || Join == NoIndex || NumPredecessors[Join] != 2 ||
          IsTaken[Side] || IsTaken[Join])
        break;
      Blocks.append({Side, Join});
      IsTaken[Side] = IsTaken[Join] = true;
      Last = Join;
    }
    IsTaken[First] = true;
    Regions.push_back(std::move(Blocks));
  }
  return Regions;
}
