//===- PackBlocks.cpp - Blocks of one warp as warps of a block ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/PackBlocks.h"
#include "gpuocc/WhatIf/WarpBarriers.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static constexpr uint64_t WholeWarp = 32;

bool gpuocc::canPackBlocks(const KernelVariant &V) {
  const Launch &L = V.Launched;
  return L.Block.Value.X <= WholeWarp &&
         L.threadsPerBlock() == L.Block.Value.X && L.Grid &&
         L.Cluster.count() == 1 && V.Facts.Bounds.Cluster[0] == 0 &&
         V.Facts.Bounds.RequiredBlock[0] == 0;
}

Change gpuocc::packBlocks(unsigned Warps) {
  return makeChange(ChangeKind::PackBlocks, [Warps](KernelVariant &V) {
    V.Facts.StaticSharedBytes *= Warps;
    V.Launched.DynamicSharedBytes.Value *= Warps;
    V.Launched.Block.Value = {WholeWarp, Warps, 1};
    for_each(V.Facts.Operations, waitInWarp);
    Sourced<Dim3> Grid = *V.Launched.Grid;
    Grid.Value.X = (Grid.Value.X + Warps - 1) / Warps;
    V.Launched.Grid = std::move(Grid);
    // Blocks that follow each other take the places of a block.
    for (WarpSample &S : V.Profile.Samples) {
      S.WarpInBlock = unsigned(S.BlockIndex.X % Warps);
      S.BlockIndex.X /= Warps;
      S.WeightOfTurn.fill(S.Weight / WarpSample::NumTurns);
    }
  });
}
