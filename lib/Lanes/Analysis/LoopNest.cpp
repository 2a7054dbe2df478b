//===- LoopNest.cpp - Which loops hold a block ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/LoopNest.h"

using namespace gpuocc;

LoopNest::LoopNest(const KernelFacts &Facts) {
  auto Valid = [&](uint32_t L) { return L < Facts.Loops.size() ? L : NoIndex; };
  for (const BasicBlock &B : Facts.Blocks)
    Innermost.push_back(Valid(B.Loop));
  for (const Loop &L : Facts.Loops) {
    const uint32_t Parent = Valid(L.Parent);
    // A parent that is not shallower would make contains() run forever.
    const bool IsSane =
        Parent != NoIndex && Facts.Loops[Parent].Depth < L.Depth;
    Parents.push_back(IsSane ? Parent : NoIndex);
  }
}

bool LoopNest::contains(uint32_t Loop, uint32_t Block) const {
  for (uint32_t L = innermost(Block); L != NoIndex; L = Parents[L])
    if (L == Loop)
      return true;
  return false;
}
