//===- ControlChanges.cpp - Changes of branches and loops -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ControlChanges.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// Every group of lanes walks its own side only, in full warps.
static void converge(KernelVariant &V, ArrayRef<uint32_t> Branches) {
  const std::vector<BlockProfile> Before = V.Profile.Blocks;
  for (uint32_t I : Branches) {
    const double Lanes = Before[V.Facts.Branches[I].Block].ActiveLaneFraction;
    V.Profile.Branches[I].DivergentFraction = 0;
    if (!(Lanes > 0))
      continue;
    for (uint32_t Block : blocksOfBranch(V.Facts, I))
      scaleBlock(
          V.Facts, V.Profile, Block,
          std::min(1.0, V.Profile.Blocks[Block].ActiveLaneFraction / Lanes));
  }
}

Change gpuocc::convergeBranches(std::vector<uint32_t> Branches) {
  return makeChange(ChangeKind::ConvergeBranches,
                    [Branches = std::move(Branches)](KernelVariant &V) {
                      converge(V, Branches);
                    });
}

/// What the lanes of a warp differed by, the warps of a block then do: of each
/// kind of warps, one in a block goes round the blocks \p Body of a loop as
/// often as before, and the others as often as leaves the mean.
static void keepLongestWarp(ExecutionProfile &Profile, ArrayRef<uint32_t> Body,
                            double LaneBalance, unsigned WarpsPerBlock) {
  const double OfOthers =
      (LaneBalance * WarpsPerBlock - 1) / (WarpsPerBlock - 1);
  if (WarpsPerBlock < 2 || OfOthers <= 0)
    return;
  std::vector<WarpSample> Samples;
  for (const WarpSample &Mean : Profile.Samples) {
    WarpSample Longest = Mean, Other = Mean;
    Longest.Weight = Mean.Weight / WarpsPerBlock;
    Other.Weight = Mean.Weight - Longest.Weight;
    for (uint32_t Block : Body) {
      Longest.BlockExecutions[Block] /= LaneBalance;
      Other.BlockExecutions[Block] *= OfOthers / LaneBalance;
    }
    Samples.push_back(std::move(Longest));
    Samples.push_back(std::move(Other));
  }
  Profile.Samples = std::move(Samples);
}

/// Lanes of equal trip counts share warps: a warp iterates as often as its mean
/// lane.
static void balance(KernelVariant &V, uint32_t Loop) {
  LoopProfile &L = V.Profile.Loops[Loop];
  ArrayRef<uint32_t> Body = V.Facts.Loops[Loop].Blocks;
  for (uint32_t Block : Body)
    scaleBlock(V.Facts, V.Profile, Block, L.LaneBalance);
  keepLongestWarp(V.Profile, Body, L.LaneBalance,
                  unsigned(V.Launched.warpsPerBlock()));
  L.TripCount *= L.LaneBalance;
  L.LaneBalance = 1;
}

Change gpuocc::balanceLoop(uint32_t Loop) {
  return makeChange(ChangeKind::BalanceLoop,
                    [Loop](KernelVariant &V) { balance(V, Loop); });
}

Change gpuocc::fillWarps() {
  return makeChange(ChangeKind::FillWarps, [](KernelVariant &V) {
    constexpr double LanesPerWarp = 32;
    const double Full = double(V.Launched.threadsPerBlock()) /
                        (double(V.Launched.warpsPerBlock()) * LanesPerWarp);
    for (uint32_t Block = 0; Block != V.Facts.Blocks.size(); ++Block)
      scaleBlock(V.Facts, V.Profile, Block, Full);
  });
}
