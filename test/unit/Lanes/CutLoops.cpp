//===- CutLoops.cpp - Loops that are longer than the effort ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

const Dim3 Line{256, 1, 1};

/// do { a[tid]; x = x * 5 + 1 (12 bits) } while (x != Last), which no closed
/// form solves.
KernelFacts congruentialLoop(Operand First, int64_t Last) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Start = First.isImmediate() ? First : B.tidX();
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand X = B.phi(Start, Pre);
  B.load(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  Operand Next =
      B.op(Semantics::And, 32, {B.mad(X, B.imm(5), B.imm(1)), B.imm(0xfff)});
  B.addIncoming(X, Next, Head);
  Operand Stay = B.compare(ComparePredicate::NE, Next, B.imm(Last));
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  return B.finish();
}

TEST(CutLoops, CounterThroughConversionsIsSolved) {
  // for (j = 0; j < 1000; ++j) with j + 1 computed as (u32)(u64)j + 1: what
  // the optimizer leaves of an index that is also used widened.
  FactsBuilder B;
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand J = B.phi(B.imm(0), Pre);
  B.load(MemorySpace::Global, B.element(A, J, 4), 4);
  Operand Wide = B.op(Semantics::ZExt, 64, {J});
  B.Facts.Operations.back().FromBits = 32;
  Operand Narrow = B.op(Semantics::Trunc, 32, {Wide});
  B.Facts.Operations.back().FromBits = 64;
  Operand Next = B.add(Narrow, B.imm(1));
  B.addIncoming(J, Next, Head);
  Operand Stay = B.compare(ComparePredicate::NE, Next, B.imm(1000));
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  LanesOptions Options;
  Options.MaxSteps = 2000;
  ExecutionProfile P = profileLanes(B.finish(), launch({4, 1, 1}, Line),
                                    MemoryGeometry(), Options);
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 1000, 1e-6);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
}

TEST(CutLoops, EndThatIsNotReachedIsNamed) {
  LanesOptions Options;
  Options.MaxSteps = 20'000;
  KernelFacts F = congruentialLoop(Operand::immediate(0), 0);
  ExecutionProfile P =
      profileLanes(F, launch({1, 1, 1}, {32, 1, 1}), MemoryGeometry(), Options);
  ASSERT_EQ(P.Assumptions.size(), 1u);
  EXPECT_EQ(P.Assumptions[0].What,
            "trip count of a loop without a source line");
  EXPECT_NE(P.Assumptions[0].Taken.find("its end was not reached"),
            std::string::npos);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Assumed);
  EXPECT_EQ(P.Loops[0].Basis, TripBasis::NotReached);
  // As many iterations again as were walked.
  EXPECT_GT(P.Accesses[0].ExecutionsPerWarp, 1000);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 4);
}

TEST(CutLoops, LanesThatLeftTellOfTheOthers) {
  // Lanes are spread over a cycle of 4096 values; the longest of 32 takes
  // nearly all of it, and the effort covers a quarter.
  LanesOptions Options;
  Options.MaxSteps = 20'000;
  KernelFacts F = congruentialLoop(Operand(), 0);
  ExecutionProfile P =
      profileLanes(F, launch({1, 1, 1}, {32, 1, 1}), MemoryGeometry(), Options);
  EXPECT_GT(P.Loops[0].TripCount, 2000);
  EXPECT_LT(P.Loops[0].TripCount, 32000);
}

TEST(CutLoops, ATripCountOfTheLaunchDecides) {
  LanesOptions Options;
  Options.MaxSteps = 2000;
  KernelFacts F = congruentialLoop(Operand::immediate(0), 0);
  F.Locations.edit().push_back({{{"a.cu", 7, 1, ""}}});
  F.Loops[0].Location = 0;
  Launch L = launch({1, 1, 1}, {32, 1, 1});
  L.TripCounts["a.cu:7"] = {5000.0, "test"};
  ExecutionProfile P = profileLanes(F, L, MemoryGeometry(), Options);
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 5000, 1);
  EXPECT_TRUE(P.Assumptions.empty());
}

/// for (i = First; i * 8 / 1024 * 8 < 1024; i += 396) { a[tid]; }, where the
/// shift cuts off low bits: linear, but not to the letter.
KernelFacts shiftedBoundLoop(Operand First) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Start = First.isImmediate() ? First : B.tidX();
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(Start, Pre);
  Operand Tile = B.op(Semantics::ShrU, 32, {I, B.imm(7)});
  Operand Stay = B.compare(ComparePredicate::LTU, Tile, B.imm(128));
  uint32_t Body = B.newBlock();
  B.load(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  B.addIncoming(I, B.add(I, B.imm(396)), Body);
  B.jump(Body, Head);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Body, Exit);
  return B.finish();
}

TEST(CutLoops, ExitsAreComputedWithoutTheBody) {
  LanesOptions Options;
  Options.MaxSteps = 1000;
  ExecutionProfile P =
      profileLanes(shiftedBoundLoop(Operand::immediate(0)),
                   launch({1, 1, 1}, {32, 1, 1}), MemoryGeometry(), Options);
  // Up to 16384 in steps of 396.
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 42, 1e-6);
  EXPECT_TRUE(P.Assumptions.empty());
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
}

/// for (i = (t + 1) % n; i != t; i = (i + 1) % n) { a[i]; } with n = 30720.
KernelFacts ringLoop() {
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.globalX();
  auto Behind = [&](Operand I) {
    return B.op(Semantics::RemS, 32, {B.add(I, B.imm(1)), B.imm(30720)});
  };
  Operand First = Behind(T);
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(First, Pre);
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  Operand Next = Behind(I);
  B.addIncoming(I, Next, Head);
  Operand Stay = B.compare(ComparePredicate::NE, Next, T);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  return B.finish();
}

TEST(CutLoops, LinearStretchesAreFollowedToTheEnd) {
  const Launch L = launch({120, 1, 1}, Line);
  ExecutionProfile P =
      profileLanes(ringLoop(), L, MemoryGeometry(), LanesOptions());
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 30719, 1e-3);
  EXPECT_TRUE(P.Assumptions.empty());
  LanesOptions Without;
  Without.Used.leaveOut(Mechanism::LinearStretches);
  P = profileLanes(ringLoop(), L, MemoryGeometry(), Without);
  EXPECT_LT(P.Accesses[0].ExecutionsPerWarp, 10000);
}

/// for (i = 0; i < 3000; ++i) { a[i] or, if \p Jumps, a[x] or, if \p Skips,
/// a[x] where x > 2000; x = x * 5 + 1 (12 bits) }: the end is known, not what
/// each turn does.
KernelFacts countedLoopOverOther(bool Skips, bool Jumps = false) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand X = B.phi(B.imm(0), Pre);
  Operand I = B.phi(B.imm(0), Pre);
  uint32_t Last = Head;
  if (Skips) {
    Operand IsLarge = B.compare(ComparePredicate::GTS, X, B.imm(2000));
    uint32_t Side = B.newBlock();
    B.load(MemorySpace::Global, B.element(A, X, 4), 4);
    Last = B.newBlock();
    B.branch(Head, IsLarge, Side, Last);
    B.jump(Side, Last);
  } else {
    B.load(MemorySpace::Global, B.element(A, Jumps ? X : I, 4), 4);
  }
  Operand NextX =
      B.op(Semantics::And, 32, {B.mad(X, B.imm(5), B.imm(1)), B.imm(0xfff)});
  Operand NextI = B.add(I, B.imm(1));
  B.addIncoming(X, NextX, Last);
  B.addIncoming(I, NextI, Last);
  Operand Stay = B.compare(ComparePredicate::LTS, NextI, B.imm(3000));
  uint32_t Exit = B.newBlock();
  B.branch(Last, Stay, Head, Exit);
  return B.finish();
}

TEST(CutLoops, SolvedCountsAreExactWhereAllTurnsDoTheSame) {
  LanesOptions Options;
  Options.MaxSteps = 2000;
  ExecutionProfile P =
      profileLanes(countedLoopOverOther(false), launch({1, 1, 1}, {32, 1, 1}),
                   MemoryGeometry(), Options);
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 3000, 1e-6);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
  EXPECT_EQ(P.Loops[0].Basis, TripBasis::Counted);
  P = profileLanes(countedLoopOverOther(true), launch({1, 1, 1}, {32, 1, 1}),
                   MemoryGeometry(), Options);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Assumed);
  P = profileLanes(countedLoopOverOther(false, true),
                   launch({1, 1, 1}, {32, 1, 1}), MemoryGeometry(), Options);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Assumed);
}

TEST(CutLoops, AConditionBoundsWhatIsNotWalked) {
  // do { a[tid]; x = x * 5 + 1 (12 bits) } while (x != -1 && ++i < 3000), where
  // x is never -1.
  FactsBuilder B;
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand X = B.phi(B.imm(0), Pre);
  Operand I = B.phi(B.imm(0), Pre);
  B.load(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  Operand NextX =
      B.op(Semantics::And, 32, {B.mad(X, B.imm(5), B.imm(1)), B.imm(0xfff)});
  Operand NextI = B.add(I, B.imm(1));
  B.addIncoming(X, NextX, Head);
  B.addIncoming(I, NextI, Head);
  Operand Stay = B.op(Semantics::And, 1,
                      {B.compare(ComparePredicate::NE, NextX, B.imm(-1)),
                       B.compare(ComparePredicate::LTS, NextI, B.imm(3000))});
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  LanesOptions Options;
  Options.MaxSteps = 2000;
  const ExecutionProfile P = profileLanes(
      B.finish(), launch({1, 1, 1}, {32, 1, 1}), MemoryGeometry(), Options);
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 3000, 1);
  ASSERT_EQ(P.Assumptions.size(), 1u);
  EXPECT_EQ(P.Loops[0].Basis, TripBasis::AtMost);
}

TEST(CutLoops, ExitsThatDifferBetweenLanesAreComputed) {
  LanesOptions Options;
  Options.MaxSteps = 8000;
  ExecutionProfile P =
      profileLanes(shiftedBoundLoop(Operand()), launch({1, 1, 1}, {256, 1, 1}),
                   MemoryGeometry(), Options);
  // Threads from 148 on, which are in five of eight warps with those below,
  // leave after 41 iterations.
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, (5 * 42 + 3 * 41) / 8.0, 1e-6);
  EXPECT_TRUE(P.Assumptions.empty());
}

} // namespace
