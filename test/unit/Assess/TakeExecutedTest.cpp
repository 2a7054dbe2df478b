//===- TakeExecutedTest.cpp - What ran in place of what was walked --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TakeExecuted.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// Block 0 leads to a loop of 1 to 3, of which 2 is a side; 4 is behind it.
KernelFacts loopWithSide() {
  KernelFacts Facts;
  Facts.Blocks.resize(5);
  Facts.Blocks[0].Successors = {1};
  Facts.Blocks[1].Successors = {2, 3};
  Facts.Blocks[2].Successors = {3};
  Facts.Blocks[3].Successors = {1, 4};
  for (uint32_t B : {1u, 3u}) {
    Facts.Blocks[B].Branch = uint32_t(Facts.Branches.size());
    Branch &Br = Facts.Branches.emplace_back();
    Br.Block = B;
    Br.Targets = Facts.Blocks[B].Successors;
  }
  findLoops(Facts);
  return Facts;
}

/// A walk that says that the side is taken in all of 100 turns.
ExecutionProfile walked(const KernelFacts &Facts, TripBasis Basis,
                        Exactness Exact) {
  ExecutionProfile P;
  P.Blocks.resize(Facts.Blocks.size());
  const double Said[] = {1, 100, 100, 100, 1};
  for (auto [B, Executions] : llvm::zip(P.Blocks, Said))
    B.ExecutionsPerWarp = Executions;
  P.Branches.resize(Facts.Branches.size());
  P.Loops.resize(Facts.Loops.size());
  P.Loops[0].TripCount = 100;
  P.Loops[0].Basis = Basis;
  P.Loops[0].Exact = Exact;
  return P;
}

/// Of 2 warps, each of 50 turns, of which 10 take the side with 4 lanes.
ExecutedCounts counted() {
  ExecutedCounts C;
  C.NumWarps = 2;
  C.Blocks = {{{1}, 2, 0, 64, {}},
              {{2, 3}, 100, 20, 3200, {}},
              {{3}, 20, 0, 80, {}},
              {{1, 4}, 100, 0, 3200, {}},
              {{}, 2, 0, 64, {}}};
  return C;
}

TEST(TakeExecuted, AWalkThatCameToItsEndStays) {
  const KernelFacts Facts = loopWithSide();
  ExecutionProfile P = walked(Facts, TripBasis::Counted, Exactness::Exact);
  const ExecutionProfile Before = P;
  takeExecuted(counted(), Facts, P);
  EXPECT_EQ(P, Before);
}

TEST(TakeExecuted, WarpsThatRanSayWhatATurnDoes) {
  const KernelFacts Facts = loopWithSide();
  ExecutionProfile P =
      walked(Facts, TripBasis::Counted, Exactness::DataDependent);
  takeExecuted(counted(), Facts, P);
  EXPECT_EQ(P.NumWarpsRan, 2u);
  // As many turns as before.
  EXPECT_DOUBLE_EQ(P.Blocks[1].ExecutionsPerWarp, 100);
  EXPECT_DOUBLE_EQ(P.Loops[0].TripCount, 100);
  EXPECT_DOUBLE_EQ(P.Blocks[2].ExecutionsPerWarp, 20);
  EXPECT_DOUBLE_EQ(P.Blocks[2].ActiveLaneFraction, 4. / 32);
  EXPECT_DOUBLE_EQ(P.Branches[0].DivergentFraction, 0.2);
  EXPECT_DOUBLE_EQ(P.Blocks[4].ExecutionsPerWarp, 1);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
}

TEST(TakeExecuted, WarpsThatRanSayHowManyTurnsNobodyKnows) {
  const KernelFacts Facts = loopWithSide();
  ExecutionProfile P =
      walked(Facts, TripBasis::Guessed, Exactness::DataDependent);
  takeExecuted(counted(), Facts, P);
  EXPECT_DOUBLE_EQ(P.Blocks[1].ExecutionsPerWarp, 50);
  EXPECT_DOUBLE_EQ(P.Blocks[2].ExecutionsPerWarp, 10);
  EXPECT_DOUBLE_EQ(P.Loops[0].TripCount, 50);
  EXPECT_EQ(P.Loops[0].Basis, TripBasis::Counted);
}

TEST(TakeExecuted, OtherCodeSaysNothing) {
  KernelFacts Facts = loopWithSide();
  ExecutionProfile P =
      walked(Facts, TripBasis::Guessed, Exactness::DataDependent);
  const ExecutionProfile Before = P;
  ExecutedCounts C = counted();
  C.Blocks[2].Successors = {4};
  takeExecuted(C, Facts, P);
  EXPECT_EQ(P, Before);
}

TEST(TakeExecuted, BlocksThatDifferAreNamed) {
  const KernelFacts Facts = loopWithSide();
  ExecutionProfile P =
      walked(Facts, TripBasis::Guessed, Exactness::DataDependent);
  ExecutedCounts C = counted();
  C.IsWholeGrid = false;
  C.SampledError = 0.04;
  takeExecuted(C, Facts, P);
  EXPECT_DOUBLE_EQ(P.SampledError, 0.04);
  ASSERT_EQ(P.Assumptions.size(), 1u);
  EXPECT_EQ(P.Assumptions[0].Taken,
            "the mean of those with 2 warps that did, with a standard error of "
            "4.0 %");
}

} // namespace
