//===- TakeTurns.cpp - Blocks that do the work of several -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/TakeTurns.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// The loop over the turns, around all code: a turn begins when the warp has
/// issued the one before, whose results it waited for.
static void addLoop(KernelVariant &V, double Turns) {
  const uint32_t New = uint32_t(V.Facts.Loops.size());
  gpuocc::Loop Around;
  Around.Header = 0;
  for (gpuocc::Loop &Inner : V.Facts.Loops) {
    ++Inner.Depth;
    if (Inner.Parent == NoIndex)
      Inner.Parent = New;
  }
  for (uint32_t I = 0; I != V.Facts.Blocks.size(); ++I) {
    BasicBlock &B = V.Facts.Blocks[I];
    Around.Blocks.push_back(I);
    if (B.Loop == NoIndex)
      B.Loop = New;
    if (B.Successors.empty())
      Around.Latches.push_back(I);
  }
  V.Facts.Loops.push_back(std::move(Around));
  LoopProfile P;
  P.TripCount = Turns;
  V.Profile.Loops.push_back(std::move(P));
}

Change gpuocc::takeTurns(double Blocks) {
  auto Apply = [Blocks](KernelVariant V) -> Expected<KernelVariant> {
    if (!V.Launched.Grid)
      return createStringError("its grid is not known");
    for (BlockProfile &B : V.Profile.Blocks)
      B.ExecutionsPerWarp *= Blocks;
    for (BranchProfile &B : V.Profile.Branches)
      B.ExecutionsPerWarp *= Blocks;
    for (AccessProfile &A : V.Profile.Accesses) {
      A.ExecutionsPerWarp *= Blocks;
      A.RequestsPerWarp *= Blocks;
    }
    for (WarpSample &Sample : V.Profile.Samples) {
      for (double &Executions : Sample.BlockExecutions)
        Executions *= Blocks;
      Sample.Weight /= Blocks;
      for (double &Weight : Sample.WeightOfTurn)
        Weight /= Blocks;
    }
    addLoop(V, Blocks);
    Sourced<Dim3> Grid = *V.Launched.Grid;
    const double Left = std::round(double(Grid.Value.count()) / Blocks);
    Grid.Value = {uint64_t(std::max(1.0, Left)), 1, 1};
    V.Launched.Grid = std::move(Grid);
    return std::move(V);
  };
  return {ChangeKind::TakeTurns, Apply};
}
