//===- WarpPlanTest.cpp - Which warps of a grid are walked ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/WarpPlan.h"
#include "Memory/Recorder.h"
#include "Walk/CutFinder.h"
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

/// Of the warps that \p Plan stands for, those whose blocks \p IsIn names.
double warpsIn(const WarpPlan &Plan, llvm::function_ref<bool(Dim3)> IsIn) {
  double Weight = 0;
  for (const PlannedWarp &W : Plan.Warps)
    Weight += IsIn(W.BlockIndex) ? W.Weight : 0;
  return Weight;
}

/// The warps of \p Grid that a plan by boxes takes for those of blocks that
/// \p IsIn names.
double warpsByBoxes(Dim3 Grid, llvm::function_ref<bool(Dim3)> IsIn) {
  constexpr bool UsesAll[3] = {true, true, true};
  auto Signature = [&](Dim3 Block) { return uint64_t(IsIn(Block)); };
  const GridCuts Cuts =
      findCuts(Grid, UsesAll, Signature, /*InnerProbes=*/5, /*MaxWays=*/4);
  const std::vector<BlockBox> Boxes =
      findBoxes(Grid, Cuts, Signature, /*MaxProbes=*/2000, /*MaxBoxes=*/500);
  double Blocks = 0;
  for (const BlockBox &B : Boxes)
    Blocks += double(B.blocks());
  EXPECT_EQ(Blocks, double(Grid.count()));
  const WarpPlan Plan = planBoxes(Boxes, /*WarpsPerBlock=*/4,
                                  /*MaxWarps=*/2000);
  EXPECT_LE(Plan.Warps.size(), 4000u);
  EXPECT_NEAR(warpsIn(Plan, [](Dim3) { return true; }),
              double(Grid.count() * 4), 1e-6);
  return warpsIn(Plan, IsIn);
}

TEST(FindBoxes, GuardsThatDimensionsShareAreCounted) {
  auto Trailing = [](Dim3 B) { return B.X > 91 && B.Y > 77; };
  EXPECT_NEAR(warpsByBoxes({100, 90, 1}, Trailing), 8 * 12 * 4, 1e-6);
  auto LowerHalf = [](Dim3 B) { return B.X <= B.Y; };
  EXPECT_NEAR(warpsByBoxes({64, 64, 1}, LowerHalf), 64 * 65 / 2 * 4, 1e-6);
  auto Corner = [](Dim3 B) { return B.X < 3 && B.Y >= 17 && B.Z < 2; };
  EXPECT_NEAR(warpsByBoxes({20, 20, 20}, Corner), 3 * 3 * 2 * 4, 1e-6);
}

TEST(FindBoxes, BlocksThatDifferEverywhereAreSpread) {
  auto Number = [](Dim3 B) { return B.Y * 1000 + B.X; };
  const Dim3 Grid = {1000, 1000, 1};
  const std::vector<BlockBox> Boxes =
      findBoxes(Grid, {{{0, 1000}, {0, 1000}, {0, 1}}}, Number,
                /*MaxProbes=*/1000, /*MaxBoxes=*/100);
  const WarpPlan Plan = planBoxes(Boxes, 1, 100);
  EXPECT_FALSE(Plan.Confirmed);
  double Sum = 0;
  for (const PlannedWarp &W : Plan.Warps)
    Sum += W.Weight * double(W.BlockIndex.X + W.BlockIndex.Y);
  EXPECT_NEAR(Sum / 1e6, 999, 10);
}

/// The standard error of the work of \p Plan, whose blocks execute the block of
/// code once and \p More times.
double errorOf(const WarpPlan &Plan, llvm::function_ref<double(Dim3)> More) {
  KernelFacts Facts;
  Facts.Blocks.resize(1);
  Operation Op;
  Op.Block = 0;
  Op.Emits = {{InstClass::IAdd3, 1, 1}};
  Facts.Operations = {Op};
  Facts.Blocks[0].NumOps = 1;
  const MemoryGeometry Geometry;
  Recorder R(Facts, Geometry, Plan.Confirmed);
  for (const PlannedWarp &W : Plan.Warps) {
    R.beginWarp(W, W.Weight);
    R.onBlock(0, ~0u, W.Weight * (1 + More(W.BlockIndex)));
    R.endWarp();
  }
  return R.sampledError();
}

TEST(SampledError, IsThatOfBlocksThatWereNotWalked) {
  auto Drawn = [](Dim3 B) { return double(scramble(B.X) % 1000) / 500; };
  // Evenly from 1 to 3: 0.577 in 64 of many blocks, whose mean is 2.
  const BlockBox Mixed = {{0, 0, 0}, {100000, 1, 1}, /*IsAlike=*/false};
  EXPECT_NEAR(errorOf(planBoxes(Mixed, 1, 64), Drawn), 0.577 / 2 / 8, 0.006);
  // All of them.
  const BlockBox Small = {{0, 0, 0}, {64, 1, 1}, /*IsAlike=*/false};
  EXPECT_EQ(errorOf(planBoxes(Small, 1, 64), Drawn), 0);
  EXPECT_EQ(errorOf(planBoxes(Mixed, 1, 64), [](Dim3) { return 1.0; }), 0);
  // One of each box.
  std::vector<BlockBox> Boxes;
  for (uint64_t I = 0; I != 64; ++I)
    Boxes.push_back({{100 * I, 0, 0}, {100 * I + 100, 1, 1}, false});
  EXPECT_NEAR(errorOf(planBoxes(Boxes, 1, 64), Drawn), 0.577 / 2 / 8, 0.009);
}

} // namespace
