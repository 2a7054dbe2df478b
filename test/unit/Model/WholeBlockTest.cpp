//===- WholeBlockTest.cpp - Blocks whose warps meet at barriers -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/Scoreboard.h"
#include "Latency/WarpLatency.h"
#include "Numbers/Numbers.h"
#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

constexpr Resource Unit = Resource::Xu;

TEST(UnitDemand, AllWarpsTakeAsLongAsTheirUnit) {
  UnitDemand D;
  D.add(Unit, 100);
  EXPECT_EQ(D.cyclesOfAll(100, 4), 400);
  // A chain that leaves the unit idle has room for three others.
  EXPECT_EQ(D.cyclesOfAll(400, 4), 400);
  EXPECT_EQ(D.cyclesOfAll(700, 4), 700);
}

TEST(UnitDemand, BehindTheLongestStretchWarpsFollowEachOther) {
  UnitDemand D;
  D.add(Unit, 100);
  D.endStretch(100, 600, 4);
  D.add(Unit, 50);
  EXPECT_EQ(D.cyclesOfAll(700, 4), 700 + 300);
  D.endStretch(700, 700, 4);
  EXPECT_EQ(D.MostHeld, 400);
}

TEST(UnitDemand, RepeatsAndKeepsShares) {
  UnitDemand Before, D;
  D.add(Unit, 10);
  D.repeat(Before, 0, 9, 900);
  EXPECT_EQ(D.Total[size_t(Unit)], 100);
  D.keepShare(Before, 0, 0.25);
  EXPECT_EQ(D.Total[size_t(Unit)], 25);
  // What began within the period moves along.
  D.Since = D.StretchSince = 50;
  D.repeat(Before, 20, 9, 900);
  EXPECT_EQ(D.Since, 950);
  EXPECT_EQ(D.Total[size_t(Unit)], 25);
}

/// 64 square roots beside each other and, unless \p Meets is false, a barrier.
std::optional<WarpLatency::WholeBlock>
squareRoots(unsigned WarpsPerBlock, double ShareOfMean, bool Meets = true) {
  constexpr uint32_t Length = 64;
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  KernelFacts Facts;
  Facts.Blocks.emplace_back();
  auto Add = [&](InstClass Class) {
    Operation &Op = Facts.Operations.emplace_back();
    Op.Block = 0;
    Op.What = Semantics::Opaque;
    Op.NumResults = 1;
    Op.Emits.push_back({Class, 1, 1});
    ++Facts.Blocks[0].NumOps;
  };
  for (uint32_t I = 0; I != Length; ++I)
    Add(InstClass::MufuRsq);
  if (Meets)
    Add(InstClass::Barrier);
  ExecutionProfile Profile, Mean;
  Profile.Blocks.emplace_back().ExecutionsPerWarp = 1;
  Mean.Blocks.emplace_back().ExecutionsPerWarp = ShareOfMean;
  Numbers N(Device);
  return WarpLatency(Facts, Profile, WarpsPerBlock, N).wholeBlock(Mean);
}

TEST(WholeBlock, WarpsThatMeetWaitForTheirPipe) {
  EXPECT_FALSE(squareRoots(16, 1, false));
  EXPECT_FALSE(squareRoots(1, 1));
  // A special function takes its pipe for 8 cycles of a scheduler.
  const auto One = squareRoots(4, 1), Four = squareRoots(16, 1);
  ASSERT_TRUE(One && Four);
  EXPECT_NEAR(One->HeldCycles, 64 * 8, 8);
  EXPECT_NEAR(Four->HeldCycles, 4 * 64 * 8, 32);
  EXPECT_NEAR(Four->Cycles - One->Cycles, 3 * 64 * 8, 40);
  // Where the mean warp does a quarter of what the slowest does, the others are
  // through before it.
  EXPECT_NEAR(squareRoots(16, 0.25)->Cycles, One->Cycles, 40);
}

/// Cycles at barriers of a warp that executes an instruction of \p Class
/// \p Iterations times.
double barrierCycles(InstClass Class, unsigned WarpsPerBlock,
                     double Iterations) {
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  OneBlockLoop L(Iterations);
  L.add(Emission{Class}, {});
  Numbers N(Device);
  return WarpLatency(L.Facts, L.Profile, WarpsPerBlock, N)
      .unloaded()
      .BarrierCycles;
}

TEST(BarrierCycles, AreThoseOfAllPasses) {
  const double Once = barrierCycles(InstClass::Barrier, 1, 1);
  EXPECT_GT(Once, 0);
  EXPECT_GT(barrierCycles(InstClass::Barrier, 16, 1), Once);
  EXPECT_NEAR(barrierCycles(InstClass::Barrier, 1, 100), 100 * Once, 1e-6);
  EXPECT_EQ(barrierCycles(InstClass::FAdd, 16, 100), 0);
}

/// Cycles of a warp that multiplies \p Own times in a row and comes to a
/// barrier
/// \p Barriers times, when others of its block do \p Others times instead.
double besideOthers(float Own, float Others, double Barriers) {
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  OneBlockLoop L(Barriers);
  // Blocks 1 and 2 are sides in the loop: what this warp does, and the others.
  L.add(Emission{InstClass::FMul, Own, Own}, {});
  L.Facts.Blocks.resize(3);
  L.Facts.Loops[0].Blocks = {0, 1, 2};
  L.Facts.Loops[0].Latches = {2};
  L.Facts.Blocks[0].Successors = {1, 2};
  L.Facts.Blocks[1].Successors = {2};
  L.Facts.Blocks[2].Successors = {0};
  for (uint32_t B : {1u, 2u}) {
    L.Facts.Blocks[B].Loop = 0;
    L.Facts.Blocks[B].FirstOp = uint32_t(L.Facts.Operations.size());
    L.Facts.Blocks[B].NumOps = 1;
    Operation &Op = L.Facts.Operations.emplace_back();
    Op.Block = B;
    Op.NumResults = 1;
    if (B == 1)
      Op.Emits = {{InstClass::FMul, Others, Others}};
    else
      Op.Emits = {{InstClass::Barrier, 1, 1}};
  }
  L.Profile.Blocks.resize(3);
  L.Profile.Blocks[2].ExecutionsPerWarp = Barriers;
  ExecutionProfile Other = L.Profile;
  L.Profile.Blocks[1].ExecutionsPerWarp = 0;
  Other.Blocks[1].ExecutionsPerWarp = Barriers;
  Numbers N(Device);
  const WarpKind Kinds[] = {{L.Profile, 1}, {Other, 1}};
  return WarpLatency(L.Facts, Kinds[0], Kinds[1], 2, N).unloaded().Cycles;
}

TEST(BarrierCycles, TheSlowestKindOfWarpDecides) {
  const double Alone = besideOthers(100, 1, 50);
  EXPECT_GT(Alone, 50 * 100);
  const double Beside = besideOthers(100, 1000, 50);
  EXPECT_NEAR(Beside - Alone, 50 * 1000, 0.15 * 50 * 1000);
}

TEST(Meetings, VisitsOfEachBarrierAreApart) {
  Meetings M;
  M.beginWarp();
  EXPECT_EQ(M.meet(3, 10), 10);
  EXPECT_EQ(M.meet(3, 50), 50);
  EXPECT_EQ(M.meet(0, 7), 7);
  M.beginWarp();
  EXPECT_EQ(M.meet(3, 20), 20);
  EXPECT_EQ(M.meet(3, 20), 50);
  EXPECT_EQ(M.meet(3, 20), 20);
}

} // namespace
