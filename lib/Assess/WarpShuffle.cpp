//===- WarpShuffle.cpp - Trees in shared memory that shuffles could make --===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/WhatIf/ShuffledTree.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// The change is that of a few lines.
static constexpr double WorthwhileWarpShuffle = 1.05;

/// A tree of that many steps has little to gain.
static constexpr double FewestSteps = 3;

static std::vector<SharedTree> treesToShuffle(const Case &C,
                                              const KernelVariant &V) {
  std::vector<SharedTree> Trees = sharedTrees(C.Facts);
  erase_if(Trees, [&](const SharedTree &Tree) {
    return stepsOf(V, Tree) < FewestSteps || !thinsOut(V, Tree);
  });
  // A loop may leave the last steps to code behind it.
  if (none_of(Trees,
              [&](const SharedTree &Tree) { return endsInOneWord(V, Tree); }))
    Trees.clear();
  return Trees;
}

void gpuocc::findWarpShuffle(const Case &C, Findings &Out) {
  // Cheap tests first: a copy of the kernel is made for trees only.
  if (C.Facts.isInIssueOrder() || C.Block.sharedBytes() == 0 ||
      C.Block.Threads % 32 != 0)
    return;
  const KernelVariant V{C.Facts, C.Profile, C.Launched};
  const std::vector<SharedTree> Trees = treesToShuffle(C, V);
  if (Trees.empty())
    return;
  double Steps = 0;
  for (const SharedTree &Tree : Trees)
    Steps = std::max(Steps, stepsOf(V, Tree));
  const TreeStep First = Trees.front().Steps.front();
  const Price P = price(C, shuffleTrees(Trees));
  if (P.Gain < WorthwhileWarpShuffle)
    return;
  const Operation &Combine = C.Facts.Operations[First.Combine];
  FindingWriter W(RuleId::WarpShuffle,
                  locationOrKernel(C.Facts, Combine.Location));
  W.finding().Access = C.Facts.Operations[First.Store].Access;
  W << "a tree of " << named("Steps", formatNumber(Steps))
    << " steps in shared memory, each of which waits for the one before; let "
       "each warp combine its lanes with __shfl_down_sync, put one word of "
       "each warp into shared memory, and let one warp combine these";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}
