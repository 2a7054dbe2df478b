//===- ReachedBlocks.cpp - What the control flow leads to -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/ReachedBlocks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

std::vector<bool> gpuocc::reachedBlocks(const KernelFacts &Facts,
                                        ArrayRef<uint32_t> Starts,
                                        ArrayRef<uint32_t> Without) {
  std::vector<bool> Reached(Facts.Blocks.size(), false);
  SmallVector<uint32_t, 8> Work;
  auto Enter = [&](uint32_t To) {
    if (To >= Reached.size() || Reached[To] || is_contained(Without, To))
      return;
    Reached[To] = true;
    Work.push_back(To);
  };
  for_each(Starts, Enter);
  while (!Work.empty())
    for (uint32_t To : Facts.Blocks[Work.pop_back_val()].Successors)
      Enter(To);
  return Reached;
}
