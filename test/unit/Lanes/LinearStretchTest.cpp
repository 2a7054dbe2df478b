//===- LinearStretchTest.cpp - How long values stay linear ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/LinearStretch.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

constexpr LinearValue fixed(uint64_t V) { return {V, 0}; }

uint64_t stretch(Semantics What, LinearValue A, LinearValue B, LinearValue Out,
                 ComparePredicate P = ComparePredicate::Other) {
  return linearStretch({What, 32, 32, P}, {A, B}, Out);
}

TEST(LinearStretch, ConstantsStay) {
  EXPECT_EQ(stretch(Semantics::Xor, fixed(6), fixed(3), fixed(5)),
            EndlessStretch);
  // What changes although nothing does rests on something else.
  EXPECT_EQ(stretch(Semantics::Xor, fixed(6), fixed(3), {5, 1}), 0u);
}

TEST(LinearStretch, RemaindersAreLinearUntilTheyWrap) {
  // 7, 10, 13, ... 97 of 100.
  EXPECT_EQ(stretch(Semantics::RemU, {7, 3}, fixed(100), {7, 3}), 30u);
  EXPECT_EQ(stretch(Semantics::RemU, {207, 3}, fixed(100), {7, 3}), 30u);
  // It has wrapped since the iteration before.
  EXPECT_EQ(stretch(Semantics::RemU, {101, 3}, fixed(100), {1, uint64_t(-97)}),
            0u);
  EXPECT_EQ(stretch(Semantics::And, {7, 3}, fixed(127), {7, 3}), 40u);
  EXPECT_EQ(stretch(Semantics::And, {7, 3}, fixed(126), {6, 3}), 0u);
}

TEST(LinearStretch, ComparisonsHoldUntilSidesMeet) {
  constexpr auto NE = ComparePredicate::NE;
  EXPECT_EQ(stretch(Semantics::Compare, {1, 1}, fixed(9), fixed(1), NE), 7u);
  EXPECT_EQ(stretch(Semantics::Compare, {9, 1}, fixed(9), fixed(0), NE), 0u);
  EXPECT_EQ(stretch(Semantics::Compare, {1, 2}, {9, 2}, fixed(1), NE),
            uint64_t((0x7fffffff - 9) / 2));
}

TEST(LinearStretch, SumsStayInTheirHalfOfTheNumbers) {
  EXPECT_EQ(stretch(Semantics::Add, {0x7ffffff0, 4}, fixed(0), {0x7ffffff0, 4}),
            3u);
  // Downwards, through zero.
  EXPECT_EQ(
      stretch(Semantics::Sub, {10, uint64_t(-3)}, fixed(0), {10, uint64_t(-3)}),
      3u);
}

TEST(LinearStretch, ProductsOfTwoThatGrowAreNot) {
  EXPECT_EQ(stretch(Semantics::Mul, {2, 1}, {3, 1}, {6, 4}), 0u);
  EXPECT_GT(stretch(Semantics::Mul, {2, 1}, fixed(3), {6, 3}), 1000u);
}

} // namespace
