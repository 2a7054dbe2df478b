//===- WarpPlanTest.cpp - Which warps of a grid are walked ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/WarpPlan.h"
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

/// Warps of \p Group, of four, among those that the plan stands for.
double shareOfGroup(unsigned Group, bool HaveRoles) {
  constexpr bool UsesAll[3] = {true, true, true};
  const Dim3 Grid = {40, 28, 9};
  const WarpPlan Plan =
      planWarps(Grid, /*WarpsPerBlock=*/12, edgeCuts(Grid, UsesAll),
                /*MaxWarps=*/8, /*MaxBlocks=*/2, HaveRoles);
  double Share = 0;
  for (const PlannedWarp &W : Plan.Warps)
    if (W.WarpInBlock / 4 == Group)
      Share += W.Weight / double(Grid.count() * 12);
  return Share;
}

TEST(WarpPlan, GroupsWithRolesAreAllWalked) {
  for (unsigned Group : {0u, 1u, 2u})
    EXPECT_NEAR(shareOfGroup(Group, true), 1.0 / 3, 1e-9) << Group;
  // One warp stands for the ten between the first and the last.
  EXPECT_NEAR(shareOfGroup(0, false), 11.0 / 12, 1e-9);
}

TEST(WarpPlan, TheBlockThatWorksMostIsWalked) {
  std::vector<BlockWork> Blocks;
  for (uint64_t I = 0; I != 1000; ++I)
    Blocks.push_back({{I, 0, 0}, I == 123 ? 5000.0 : double(10 + I % 3)});
  const WarpPlan Plan = planByWork(Blocks, 1000, /*WarpsPerBlock=*/4,
                                   /*MaxWarps=*/64);
  double Weight = 0, Work = 0;
  bool Found = false;
  for (const PlannedWarp &W : Plan.Warps) {
    Weight += W.Weight;
    Work += W.Weight * Blocks[W.BlockIndex.X].Work;
    Found |= W.BlockIndex.X == 123;
    if (W.BlockIndex.X == 123)
      EXPECT_EQ(W.Weight, 1);
  }
  EXPECT_TRUE(Found);
  EXPECT_NEAR(Weight, 4000, 1e-6);
  EXPECT_NEAR(Work / Weight, 5.0 + 11 * 0.999, 0.5);
}

// Of 10000 blocks 100 were looked at, and the last one beside them.
TEST(WarpPlan, BlocksThatAreAloneStandForNoOthers) {
  std::vector<BlockWork> Blocks;
  for (uint64_t I = 0; I != 100; ++I)
    Blocks.push_back({{I * 100, 0, 0}, 10});
  Blocks.push_back({{9999, 0, 0}, 5000, /*IsAlone=*/true});
  Blocks.push_back({{9998, 0, 0}, 10, /*IsAlone=*/true});
  const WarpPlan Plan = planByWork(Blocks, 10000, /*WarpsPerBlock=*/1,
                                   /*MaxWarps=*/64);
  double Weight = 0;
  for (const PlannedWarp &W : Plan.Warps) {
    Weight += W.Weight;
    if (W.BlockIndex.X == 9999)
      EXPECT_EQ(W.Weight, 1);
  }
  EXPECT_NEAR(Weight, 10000, 1e-6);
  EXPECT_EQ(Plan.Warps.front().BlockIndex.X, 9999);
}

} // namespace
