//===- OpenLoopsTest.cpp - Loops that go on longer in some blocks ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "Walk/BlockWork.h"
#include "Walk/WarpPlan.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

/// x = Where == 37 ? 0 : 7; do { x = x * 5 + 1 (6 bits) } while (x != 0): a
/// search that one of 64 starts far from its end.
KernelFacts searchFrom(SpecialReg Where) {
  FactsBuilder B;
  Operand Place = B.op(Semantics::And, 32, {B.sreg(Where), B.imm(63)});
  Operand IsFar = B.compare(ComparePredicate::EQ, Place, B.imm(37));
  Operand Start = B.op(Semantics::Select, 32, {B.imm(0), B.imm(7), IsFar});
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand X = B.phi(Start, Pre);
  Operand Next =
      B.op(Semantics::And, 32, {B.mad(X, B.imm(5), B.imm(1)), B.imm(63)});
  B.addIncoming(X, Next, Head);
  Operand Stay = B.compare(ComparePredicate::NE, Next, B.imm(0));
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  return B.finish();
}

TEST(OpenLoops, RestOnTheNumberOfTheBlock) {
  EXPECT_EQ(loopsOfBlocks(searchFrom(SpecialReg::CtaIdX)),
            std::vector<uint32_t>{0});
  EXPECT_EQ(loopsOfBlocks(searchFrom(SpecialReg::CtaIdZ)),
            std::vector<uint32_t>{0});
  // All blocks do the same.
  EXPECT_TRUE(loopsOfBlocks(searchFrom(SpecialReg::TidX)).empty());
}

TEST(OpenLoops, TheLongestBlockIsPlannedFirst) {
  const WarpPlan Plan = planByWork(
      {{{0, 1, 1}, 1}, {{1, 1, 1}, 100}, {{2, 1, 1}, 1}}, /*NumBlocks=*/3,
      /*WarpsPerBlock=*/2, /*MaxWarps=*/192);
  ASSERT_EQ(Plan.NumHeaviest, 2u);
  EXPECT_EQ(Plan.Warps[0].BlockIndex.X, 1u);
  EXPECT_EQ(Plan.Warps[1].BlockIndex.X, 1u);
}

} // namespace
