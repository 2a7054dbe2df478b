//===- Regions.cpp - Blocks that are scheduled as one ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/Regions.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;

PredicatedSides gpuocc::predicatedSidesOf(const KernelFacts &Facts,
                                          uint32_t Block) {
  PredicatedSides Out;
  // Sides are appended while their successors are looked at.
  for (size_t Next = 0; Next <= Out.Sides.size(); ++Next) {
    const uint32_t From = Next == 0 ? Block : Out.Sides[Next - 1];
    for (uint32_t S : Facts.Blocks[From].Successors) {
      if (Facts.Blocks[S].PredicatedInto == From) {
        Out.Sides.push_back(S);
        continue;
      }
      if (Out.Join != NoIndex && Out.Join != S)
        return {};
      Out.Join = S;
      ++Out.NumEdges;
    }
  }
  return Out.Sides.empty() ? PredicatedSides() : Out;
}

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
      const PredicatedSides Of = predicatedSidesOf(Facts, Last);
      if (Of.Join == NoIndex || NumPredecessors[Of.Join] != Of.NumEdges ||
          IsTaken[Of.Join] ||
          llvm::any_of(Of.Sides, [&](uint32_t S) { return IsTaken[S]; }))
        break;
      Blocks.append(Of.Sides);
      Blocks.push_back(Of.Join);
      for (uint32_t B : Of.Sides)
        IsTaken[B] = true;
      IsTaken[Of.Join] = true;
      Last = Of.Join;
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
