//===- GridSegmentsTest.cpp - Blocks that do unlike work ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid/GridSegments.h"
#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace gpuocc;

namespace {

/// One block of code with a multiplication that needs the one before it; the
/// warps of the grid execute it as often as \p Executions says, a block each.
struct ChainOfBlocks : OneBlockLoop {
  explicit ChainOfBlocks(std::initializer_list<double> Executions)
      : OneBlockLoop(
            std::accumulate(Executions.begin(), Executions.end(), 0.0) /
            double(Executions.size())) {
    Facts.Resources.RegistersPerThread = 16;
    add(Emission{InstClass::FMul}, Operand::value(0));
    for (double Times : Executions) {
      WarpSample S;
      S.BlockIndex = {Profile.Samples.size(), 0, 0};
      S.Weight = 1;
      S.BlockExecutions = {Times};
      Profile.Samples.push_back(S);
    }
  }
};

} // namespace

TEST(GridSegments, AlikeBlocksAreOneSegmentThatKnowsItsHeaviest) {
  ChainOfBlocks K({400, 300, 200});
  std::vector<GridSegment> Parts = gridSegments(K.Facts, K.Profile, 1);
  ASSERT_EQ(Parts.size(), 1u);
  EXPECT_NEAR(Parts[0].Slowest.Profile.Blocks[0].ExecutionsPerWarp, 300, 1e-9);
  EXPECT_NEAR(Parts[0].HeaviestOverSlowest, 4.0 / 3, 1e-9);
}

TEST(GridSegments, UnlikeBlocksAreTheirOwn) {
  ChainOfBlocks K({400, 10});
  std::vector<GridSegment> Parts = gridSegments(K.Facts, K.Profile, 1);
  ASSERT_EQ(Parts.size(), 2u);
  EXPECT_NEAR(Parts[0].BlockFraction, 0.5, 1e-9);
  EXPECT_EQ(Parts[0].HeaviestOverSlowest, 1);
}

TEST(GridSegments, WarpsThatDoALittleLessAreNoBlocksOfTheirOwn) {
  // Blocks of two warps: one works, one fetches for it, 62 rows or 63 of them.
  // The warps that work are the same in all blocks, and so one sample.
  ChainOfBlocks K({4000, 63, 62});
  K.Profile.Samples[1].BlockIndex = {0, 0, 0};
  K.Profile.Samples[1].WarpInBlock = K.Profile.Samples[2].WarpInBlock = 1;
  K.Profile.Samples[0].Weight = 132;
  K.Profile.Samples[1].Weight = 8;
  K.Profile.Samples[2].Weight = 124;
  const std::vector<GridSegment> Parts = gridSegments(K.Facts, K.Profile, 2);
  ASSERT_EQ(Parts.size(), 1u);
  EXPECT_NEAR(Parts[0].Mean.Blocks[0].ExecutionsPerWarp,
              (4000 * 132 + 63 * 8 + 62 * 124) / 264.0, 1e-9);
  // Those that do much less are.
  K.Profile.Samples[2].BlockExecutions = {6};
  EXPECT_EQ(gridSegments(K.Facts, K.Profile, 2).size(), 2u);
}

/// So many requests of a warp, of which \p Hits hit L1 and \p Waits wait.
static AccessProfile loadsOf(double Requests, double Hits, double Waits) {
  AccessProfile Of;
  Of.ExecutionsPerWarp = Of.RequestsPerWarp = Requests;
  Of.L1HitFraction = Hits;
  Of.L1WaitFraction = Waits;
  return Of;
}

TEST(GridSegments, ALoopFindsItsAddressInL1HoweverOftenItTurns) {
  // An entry, in which the address is computed, and a loop, which loads from
  // it: 8 turns in 263 blocks, 1000 in one.
  KernelFacts F;
  F.Blocks.resize(2);
  F.Operations.resize(3);
  F.Operations[0].Emits = {Emission{InstClass::FMul}};
  F.Operations[0].Block = 0;
  F.Operations[1].Emits = {Emission{InstClass::LdGlobal}};
  F.Operations[2].Emits = {Emission{InstClass::FMul}};
  F.Operations[1].Block = F.Operations[2].Block = 1;
  F.Blocks[0].NumOps = F.Blocks[1].FirstOp = 1;
  F.Blocks[1].NumOps = 2;
  MemoryAccess A;
  A.Op = 1;
  A.Space = MemorySpace::Global;
  A.Base = Operand::value(0);
  F.Accesses.push_back(A);
  ExecutionProfile P;
  const double Mean = (263 * 8 + 1000) / 264.0;
  P.Blocks = {{1, 1}, {Mean, 1}};
  AccessProfile Of = loadsOf(Mean, 0.875, 0.25);
  P.Accesses.push_back(Of);
  auto Sample = [&](unsigned Block, double Turns, double Weight) {
    WarpSample S;
    S.BlockIndex = {Block, 0, 0};
    S.Weight = Weight;
    S.BlockExecutions = {1, Turns};
    P.Samples.push_back(S);
  };
  Sample(0, 8, 263);
  Sample(1, 1000, 1);
  auto LongLoad = [&] {
    for (const GridSegment &S : gridSegments(F, P, 1))
      if (S.BlockFraction < 0.5)
        return S.Slowest.Profile.Accesses[0];
    return AccessProfile();
  };
  EXPECT_NEAR(LongLoad().L1WaitFraction, 0.25 * Mean / 1000, 1e-9);
  EXPECT_NEAR(LongLoad().L1HitFraction, 1 - 0.125 * Mean / 1000, 1e-9);
  // An address that each turn computes is another one each time.
  F.Accesses[0].Base = Operand::value(2);
  EXPECT_EQ(LongLoad().L1WaitFraction, 0.25);
  EXPECT_EQ(LongLoad().L1HitFraction, 0.875);
}

TEST(GridSegments, LaterRequestsFindWhatTheFirstOnesBrought) {
  // A warp that loads once, and another one of its block that loads 15 times,
  // of which it waits for the first.
  KernelFacts F;
  F.Blocks.resize(1);
  F.Operations.resize(1);
  F.Operations[0].Emits = {Emission{InstClass::LdGlobal}};
  F.Operations[0].Block = 0;
  F.Blocks[0].NumOps = 1;
  MemoryAccess A;
  A.Op = 0;
  A.Space = MemorySpace::Global;
  F.Accesses.push_back(A);
  ExecutionProfile P;
  P.Blocks = {{8, 1}};
  AccessProfile Of = loadsOf(8, 0.875, 0.125);
  Of.L1WaitsByRequest = {1, 0, 0, 0};
  P.Accesses.push_back(Of);
  for (unsigned Warp : {0U, 1U}) {
    WarpSample S;
    S.WarpInBlock = Warp;
    S.BlockExecutions = {Warp == 0 ? 15.0 : 1.0};
    P.Samples.push_back(S);
  }
  const std::vector<GridSegment> Parts = gridSegments(F, P, 2);
  ASSERT_EQ(Parts.size(), 1u);
  const AccessProfile &Slowest = Parts[0].Slowest.Profile.Accesses[0];
  EXPECT_EQ(Slowest.RequestsPerWarp, 15);
  EXPECT_NEAR(Slowest.L1WaitFraction, 1.0 / 15, 1e-9);
  EXPECT_NEAR(Slowest.L1HitFraction, 14.0 / 15, 1e-9);
}

TEST(GridSegments, FirstWarpsOfBlocksShareAScheduler) {
  // Four warps that work 4 : 3 : 2 : 1.
  ChainOfBlocks K({400, 300, 200, 100});
  for (size_t I = 0; I != 4; ++I) {
    K.Profile.Samples[I].BlockIndex = {0, 0, 0};
    K.Profile.Samples[I].WeightOfTurn[I] = 1;
  }
  const GridSegment Part = gridSegments(K.Facts, K.Profile, 4)[0];
  EXPECT_NEAR(Part.fullestScheduler(4, 1), 1.6, 1e-9);
  // The next block begins with the next scheduler.
  EXPECT_NEAR(Part.fullestScheduler(4, 2), 1.4, 1e-9);
  EXPECT_NEAR(Part.fullestScheduler(4, 4), 1, 1e-9);
  EXPECT_NEAR(Part.fullestScheduler(5, 4), 1, 1e-9);
  // Blocks of six have their first warps on two schedulers.
  EXPECT_NEAR(Part.fullestScheduler(6, 4), 6 / 5.0, 1e-9);
}

TEST(GridSegments, AGridTakesAsLongAsItsHeaviestBlock) {
  // Three blocks on SMs of their own: the chip waits for the longest chain.
  DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  Launch L;
  L.Block = {{32, 1, 1}, {}};
  L.Grid = Known<Sourced<Dim3>>(Sourced<Dim3>{{3, 1, 1}, {}});
  auto Ns = [&](std::initializer_list<double> Executions) {
    ChainOfBlocks K(Executions);
    return predict(K.Facts, K.Profile, L, Device).Time->Ns;
  };
  double Even = Ns({40000, 40000, 40000});
  EXPECT_GT(Even, 40000 * 2 * 0.4);
  EXPECT_NEAR(Ns({40000, 30000, 20000}), Even, Even * 0.02);
}

TEST(GridSegments, FirstBlocksAreNotEvenlySpread) {
  DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  Launch L;
  L.Block = {{1024, 1, 1}, {}};
  // Blocks with work for each SM, and others that end at once.
  ChainOfBlocks K({400000, 1});
  K.Profile.Samples[1].Weight = 399;
  K.Profile.Blocks[0].ExecutionsPerWarp = (400000 + 399) / 400.0;
  auto Ns = [&](double Ratio) {
    Device.Quantities[Quantity::FirstBlocksOnFullestSm].Value = Ratio;
    L.Grid = Known<Sourced<Dim3>>(Sourced<Dim3>{{132 * 400, 1, 1}, {}});
    return predict(K.Facts, K.Profile, L, Device).Time->Ns;
  };
  // One of them fills the pipes of an SM, so that two take twice as long.
  EXPECT_NEAR(Ns(1.5) / Ns(1), 2, 0.05);
  // SMs hold no more than two.
  EXPECT_NEAR(Ns(9) / Ns(1), 2, 0.05);
}

TEST(GridSegments, ClustersThatFindNoGroupOfSmsTakeATurnMore) {
  const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  ChainOfBlocks K({400000});
  // One block on an SM, of which 30 clusters of four are resident.
  K.Facts.StaticSharedBytes = 200 << 10;
  auto Ns = [&](unsigned Clusters, unsigned Size) {
    Launch L;
    L.Block = {{128, 1, 1}, {}};
    L.Cluster.X = Size;
    L.Grid = Known<Sourced<Dim3>>(Sourced<Dim3>{{Clusters * Size, 1, 1}, {}});
    return predict(K.Facts, K.Profile, L, Device).Time->Ns;
  };
  EXPECT_NEAR(Ns(30, 4) / Ns(120, 1), 1, 0.02);
  EXPECT_NEAR(Ns(31, 4) / Ns(30, 4), 2, 0.05);
  EXPECT_NEAR(Ns(66, 2) / Ns(30, 4), 1, 0.05);
  EXPECT_NEAR(Ns(124, 1) / Ns(120, 1), 1, 0.05);
}

TEST(GridSegments, OneBlockThatWorksForAllIsItsOwn) {
  // The first warp of one of 100 blocks of eight works; all others were seen in
  // that block too.
  ChainOfBlocks K({100000, 10});
  K.Profile.Samples[1].BlockIndex = K.Profile.Samples[0].BlockIndex;
  K.Profile.Samples[0].Weight = 1;
  K.Profile.Samples[1].Weight = 799;
  std::vector<GridSegment> Parts = gridSegments(K.Facts, K.Profile, 8);
  ASSERT_EQ(Parts.size(), 2u);
  EXPECT_NEAR(Parts[0].BlockFraction, 0.01, 1e-9);
  EXPECT_NEAR(Parts[0].Slowest.Profile.Blocks[0].ExecutionsPerWarp, 100000,
              1e-6);
  EXPECT_NEAR(Parts[0].Mean.Blocks[0].ExecutionsPerWarp, (100000 + 70) / 8.0,
              1e-6);
  EXPECT_NEAR(Parts[1].Slowest.Profile.Blocks[0].ExecutionsPerWarp, 10, 1e-9);
}

TEST(GridSegments, WarpsThatFetchForOthersAreAKindOfTheirOwn) {
  // The first of eight warps makes the requests of a predicated load; another
  // block of code is executed by the others alone.
  ChainOfBlocks K({100, 100});
  K.Facts.Blocks.emplace_back().FirstOp = uint32_t(K.Facts.Operations.size());
  K.Facts.Blocks[1].NumOps = 1;
  Operation &Meet = K.Facts.Operations.emplace_back();
  Meet.Block = 1;
  Meet.Emits.push_back({InstClass::Barrier, 1, 1});
  MemoryAccess &Load = K.Facts.Accesses.emplace_back();
  Load.Op = 0;
  AccessProfile &P = K.Profile.Accesses.emplace_back();
  P.ExecutionsPerWarp = 100;
  P.RequestsPerWarp = 100 / 8.0;
  K.Profile.Blocks.emplace_back().ExecutionsPerWarp = 1;
  for (size_t I : {0, 1}) {
    WarpSample &S = K.Profile.Samples[I];
    S.BlockIndex = {0, 0, 0};
    S.Weight = I == 0 ? 1 : 7;
    S.BlockExecutions = {100, 1};
    S.RequestShares = {I == 0 ? 1.0 : 0.0};
  }
  GridSegment Part = gridSegments(K.Facts, K.Profile, 8)[0];
  EXPECT_EQ(Part.Slowest.Profile.Accesses[0].RequestsPerWarp, 100);
  EXPECT_EQ(Part.Mean.Accesses[0].RequestsPerWarp, 100 / 8.0);
  EXPECT_TRUE(Part.OtherKinds.empty());
  EXPECT_EQ(Part.Slowest.Warps, 1);
  // Now the others have more to do in between.
  K.Profile.Samples[1].BlockExecutions = {100, 3};
  Part = gridSegments(K.Facts, K.Profile, 8)[0];
  EXPECT_EQ(Part.Slowest.Profile.Accesses[0].RequestsPerWarp, 0);
  ASSERT_EQ(Part.OtherKinds.size(), 1u);
  EXPECT_EQ(Part.OtherKinds[0].Profile.Accesses[0].RequestsPerWarp, 100);
  Mechanisms Without;
  Without.leaveOut(Mechanism::SlowestWarp);
  Part = gridSegments(K.Facts, K.Profile, 8, Without)[0];
  EXPECT_TRUE(Part.OtherKinds.empty());
}

TEST(GridSegments, TheFullestSchedulerEndsLast) {
  // Blocks of 4, 5 and 8 warps, one to an SM, that need the pipe of special
  // functions all the time (H100: 74.0, 132.5 and 132.5 us).
  const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  auto Ns = [&](unsigned Warps, const Mechanisms &Used) {
    OneBlockLoop K(4000);
    K.Facts.Resources.RegistersPerThread = 16;
    for (unsigned I = 0; I != 4; ++I)
      K.add(Emission{InstClass::MufuRsq}, Operand::value(I));
    Launch L;
    L.Block = {{32 * Warps, 1, 1}, {}};
    L.Grid = Known<Sourced<Dim3>>(Sourced<Dim3>{{132, 1, 1}, {}});
    L.DynamicSharedBytes.Value = 200000;
    return Predictor(Device, Used).predict(K.Facts, K.Profile, L).Time->Ns;
  };
  const Mechanisms All;
  EXPECT_NEAR(Ns(5, All), Ns(8, All), 0.02 * Ns(8, All));
  EXPECT_NEAR(Ns(9, All), 1.5 * Ns(8, All), 0.05 * Ns(8, All));
  Mechanisms Without;
  Without.leaveOut(Mechanism::WholeWarps);
  EXPECT_LT(Ns(5, Without), 0.9 * Ns(8, Without));
}
