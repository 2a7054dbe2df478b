//===- WarpOperationTest.cpp - What lanes of a warp do together -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpOperation.h"
#include "gtest/gtest.h"
#include <array>

using namespace gpuocc::execute;

namespace {

/// The answers of lanes of \p Members that hold \p Values.
std::array<uint64_t, 32> answers(WarpOperation Operation, uint32_t Members,
                                 const std::array<uint64_t, 32> &Values,
                                 uint32_t Source = 0, uint32_t Clamp = 31) {
  std::array<WarpRequest, 32> Requests;
  std::array<WarpRequest *, 32> Pointers = {};
  for (unsigned I = 0; I != 32; ++I) {
    Requests[I] = {Operation, Members, Values[I], Source, Clamp, 0, 0};
    if (Members >> I & 1)
      Pointers[I] = &Requests[I];
  }
  answer(Members, Pointers);
  std::array<uint64_t, 32> Out;
  for (unsigned I = 0; I != 32; ++I)
    Out[I] = Requests[I].Answer;
  return Out;
}

constexpr uint32_t All = 0xffffffff;

std::array<uint64_t, 32> lanes() {
  std::array<uint64_t, 32> Values;
  for (unsigned I = 0; I != 32; ++I)
    Values[I] = I;
  return Values;
}

} // namespace

TEST(WarpOperation, ShufflesStayInTheirSegment) {
  // Segments of 8: __shfl_*_sync(mask, v, d, 8).
  constexpr uint32_t Segment = (32 - 8) << 8;
  const auto Up = answers(WarpOperation::ShuffleUp, All, lanes(), 3, Segment);
  const auto Down =
      answers(WarpOperation::ShuffleDown, All, lanes(), 3, Segment | 31);
  const auto Butterfly =
      answers(WarpOperation::ShuffleButterfly, All, lanes(), 5, Segment | 31);
  const auto Index =
      answers(WarpOperation::ShuffleIndex, All, lanes(), 2, Segment | 31);
  for (unsigned I = 0; I != 32; ++I) {
    const unsigned Begin = I / 8 * 8, Place = I % 8;
    EXPECT_EQ(uint32_t(Up[I]), Place >= 3 ? I - 3 : I);
    EXPECT_EQ(Up[I] >> 32, Place >= 3);
    EXPECT_EQ(uint32_t(Down[I]), Place < 5 ? I + 3 : I);
    EXPECT_EQ(Down[I] >> 32, Place < 5);
    EXPECT_EQ(uint32_t(Butterfly[I]), I ^ 5);
    EXPECT_EQ(uint32_t(Index[I]), Begin + 2);
  }
}

TEST(WarpOperation, VotesAreOfTheirMembers) {
  auto Values = lanes();
  // Lane 0 holds 0.
  EXPECT_EQ(answers(WarpOperation::Ballot, 0xf, Values)[1], 0xeu);
  EXPECT_EQ(answers(WarpOperation::VoteAll, 0xf, Values)[1], 0u);
  EXPECT_EQ(answers(WarpOperation::VoteAll, 0xe, Values)[1], 1u);
  EXPECT_EQ(answers(WarpOperation::VoteAny, 0x1, Values)[0], 0u);
  EXPECT_EQ(answers(WarpOperation::VoteAny, 0x3, Values)[0], 1u);
  EXPECT_EQ(answers(WarpOperation::VoteUniform, 0x1, Values)[0], 1u);
  EXPECT_EQ(answers(WarpOperation::VoteUniform, 0x3, Values)[0], 0u);
}

TEST(WarpOperation, MatchesCompareAllBits) {
  auto Values = lanes();
  Values[5] = 3;
  Values[7] = 3 | uint64_t(1) << 40;
  EXPECT_EQ(answers(WarpOperation::MatchAny, All, Values)[3], 0x28u);
  EXPECT_EQ(answers(WarpOperation::MatchAny, All, Values)[7], 0x80u);
  EXPECT_EQ(answers(WarpOperation::MatchAll, 0x28, Values)[3],
            0x28u | uint64_t(1) << 32);
  EXPECT_EQ(answers(WarpOperation::MatchAll, 0xa8, Values)[3], 0u);
}

TEST(WarpOperation, ReductionsKnowSigns) {
  auto Values = lanes();
  Values[2] = 0xfffffffe;
  EXPECT_EQ(answers(WarpOperation::ReduceAdd, 0xf, Values)[0], 0u + 1 - 2 + 3);
  EXPECT_EQ(answers(WarpOperation::ReduceMin, 0xf, Values)[0], 0xfffffffeu);
  EXPECT_EQ(answers(WarpOperation::ReduceUMin, 0xf, Values)[0], 0u);
  EXPECT_EQ(answers(WarpOperation::ReduceMax, 0xf, Values)[0], 3u);
  EXPECT_EQ(answers(WarpOperation::ReduceUMax, 0xf, Values)[0], 0xfffffffeu);
  EXPECT_EQ(answers(WarpOperation::ReduceOr, 0xb, Values)[0], 3u);
  EXPECT_EQ(answers(WarpOperation::ReduceAnd, 0xa, Values)[1], 1u);
  EXPECT_EQ(answers(WarpOperation::ReduceXor, 0xb, Values)[0], 2u);
}
