//===- WarpPlanTest.cpp - Which warps of a grid are walked ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpPlan.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// The mean of the numbers of blocks of \p Grid in X, over the walked ones.
double meanBlock(Dim3 Grid) {
  constexpr bool UsesX[3] = {true, false, false};
  const WarpPlan Plan =
      planWarps(Grid, /*WarpsPerBlock=*/4, edgeCuts(Grid, UsesX),
                /*MaxWarps=*/64, /*MaxBlocks=*/16);
  double Sum = 0, Weight = 0;
  for (const PlannedWarp &W : Plan.Warps) {
    Sum += W.Weight * double(W.BlockIndex.X);
    Weight += W.Weight;
  }
  return Sum / Weight;
}

TEST(WarpPlan, NoPartOfAGridIsPreferred) {
  // Blocks that have more to do the higher their number is stand for all only
  // if the mean is that of all.
  for (uint64_t X : {9, 12, 16, 20, 24, 30, 32, 47, 100, 1000}) {
    const double Middle = double(X - 1) / 2;
    EXPECT_NEAR(meanBlock({X, 32, 1}), Middle, 0.08 * double(X)) << X;
  }
}

} // namespace
