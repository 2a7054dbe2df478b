//===- Regions.cpp - Blocks that are scheduled as one ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/Regions.h"
#include "llvm/ADT/STLExtras.h"

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
      Region Sides;
      uint32_t Join = NoIndex;
      for (uint32_t S : Facts.Blocks[Last].Successors)
        if (Facts.Blocks[S].PredicatedInto == Last)
          Sides.push_back(S);
        else
          Join = S;
      if (Sides.size() == 2 && Facts.Blocks[Sides[0]].Successors.size() == 1)
        Join = Facts.Blocks[Sides[0]].Successors[0];
      if (Sides.empty() || Join == NoIndex || NumPredecessors[Join] != 2 ||
          IsTaken[Join] ||
          llvm::any_of(Sides, [&](uint32_t S) { return IsTaken[S]; }))
        break;
      Blocks.append(Sides);
      Blocks.push_back(Join);
      for (uint32_t B : Sides)
        IsTaken[B] = true;
      IsTaken[Join] = true;
      Last = Join;
    }
    IsTaken[First] = true;
    Regions.push_back(std::move(Blocks));
  }
  return Regions;
}

uint32_t gpuocc::issuingBlock(const KernelFacts &Facts, uint32_t Block) {
  // No block is predicated into itself.
  for (size_t Steps = Facts.Blocks.size();
       Steps != 0 && Facts.Blocks[Block].PredicatedInto != NoIndex; --Steps)
    Block = Facts.Blocks[Block].PredicatedInto;
  return Block;
}
