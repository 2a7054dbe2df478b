//===- CountedTurns.cpp - Walks with turns that were counted --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/CountedTurns.h"
#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

/// \p Facts, of which all is at a.cu:34.
KernelFacts atLine34(KernelFacts Facts) {
  Facts.Locations.edit().push_back({{{"a.cu", 34, 1, "k"}}});
  for (Operation &Op : Facts.Operations) {
    Op.Location = uint32_t(Facts.Locations.size() - 1);
    Op.Emits.assign(1, Emission());
    Op.Emits[0].Count = 1;
  }
  Facts.Loops[0].Location = uint32_t(Facts.Locations.size() - 1);
  return Facts;
}

/// while (p[..] != 0) a[..]: p in access 0, a in access 1.
KernelFacts untilZero() {
  FactsBuilder B;
  Operand P = B.pointer("p");
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand Got = B.load(MemorySpace::Global, B.element(P, B.globalX(), 4), 4);
  Operand Stay = B.compare(ComparePredicate::NE, Got, B.imm(0));
  uint32_t Body = B.newBlock();
  B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Body, Exit);
  B.jump(Body, Head);
  return atLine34(B.finish());
}

/// for (i = threadIdx.x; i < bound; i += 32) a[i], where a thread has put the
/// bound into shared memory: a in access 2.
KernelFacts upToSharedBound() {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Bound = B.shared("bound", 4);
  B.store(MemorySpace::Shared, Bound, 4);
  Operand Last = B.load(MemorySpace::Shared, Bound, 4);
  B.loop(B.tidX(), Last, B.imm(32), [&](Operand I) {
    B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  });
  return atLine34(B.finish());
}

/// Of a grid of \p NumBlocks blocks of a warp.
std::shared_ptr<CountedTurns> turnsOf(uint64_t NumBlocks, TurnCount All) {
  auto T = std::make_shared<CountedTurns>();
  T->Grid = {NumBlocks, 1, 1};
  T->Block = {32, 1, 1};
  T->Loops = {{{"a.cu:34"}, All}};
  return T;
}

TEST(CountedTurns, LanesLeaveAsWereCounted) {
  const KernelFacts Facts = untilZero();
  LanesOptions Options;
  Options.Turns = turnsOf(4, {4, 160, 64});
  unsigned NumLoops = 0;
  Options.LoopsByTurns = &NumLoops;
  const ExecutionProfile P = profileLanes(Facts, launch({4, 1, 1}, {32, 1, 1}),
                                          MemoryGeometry(), Options);
  EXPECT_EQ(NumLoops, 1u);
  EXPECT_NEAR(P.Accesses[1].ExecutionsPerWarp, 40, 1e-9);
  EXPECT_NEAR(P.Loops[0].TripCount, 40, 1e-9);
  EXPECT_NEAR(P.Loops[0].LaneBalance, 0.4, 0.04);
  EXPECT_TRUE(P.Assumptions.empty());
}

TEST(CountedTurns, TurnsGoBeforeABoundThatNobodyKnows) {
  const KernelFacts Facts = upToSharedBound();
  LanesOptions Options;
  Options.Turns = turnsOf(4, {4, 28, 28});
  const ExecutionProfile P = profileLanes(Facts, launch({4, 1, 1}, {32, 1, 1}),
                                          MemoryGeometry(), Options);
  EXPECT_NEAR(P.Accesses[2].ExecutionsPerWarp, 7, 1e-9);
  EXPECT_NEAR(P.Loops[0].TripCount, 7, 1e-9);
}

TEST(CountedTurns, OtherGridsAndGivenTripCountsGoBefore) {
  const KernelFacts Facts = untilZero();
  LanesOptions Options;
  Options.Turns = turnsOf(4, {4, 160, 64});
  unsigned NumLoops = 0;
  Options.LoopsByTurns = &NumLoops;
  const ExecutionProfile Other = profileLanes(
      Facts, launch({5, 1, 1}, {32, 1, 1}), MemoryGeometry(), Options);
  EXPECT_LT(Other.Accesses[1].ExecutionsPerWarp, 39);
  EXPECT_FALSE(Other.Assumptions.empty());
  Launch Given = launch({4, 1, 1}, {32, 1, 1});
  Given.TripCounts["a.cu:34"] = {3, "test"};
  EXPECT_LT(profileLanes(Facts, Given, MemoryGeometry(), Options)
                .Accesses[1]
                .ExecutionsPerWarp,
            7);
  EXPECT_EQ(NumLoops, 0u);
}

TEST(CountedTurns, TheBlockThatTurnsMostStandsForItself) {
  const KernelFacts Facts = untilZero();
  auto Turns = turnsOf(1000, {1000, 2997, 2997});
  Turns->Blocks = {{3, false, {{1, 2, 2}}},
                   {500, false, {{1, 2, 2}}},
                   {700, true, {{1, 999, 999}}}};
  LanesOptions Options;
  Options.Turns = Turns;
  const ExecutionProfile P = profileLanes(
      Facts, launch({1000, 1, 1}, {32, 1, 1}), MemoryGeometry(), Options);
  EXPECT_NEAR(P.Accesses[1].ExecutionsPerWarp, 2.997, 1e-9);
  double Most = 0, Weights = 0;
  for (const WarpSample &S : P.Samples) {
    Most = std::max(Most, S.BlockExecutions[2]);
    Weights += S.Weight;
  }
  EXPECT_NEAR(Most, 999, 1e-6);
  EXPECT_NEAR(Weights, 1000, 1e-9);
}

} // namespace
