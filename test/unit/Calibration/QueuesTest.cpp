//===- QueuesTest.cpp - Banks of tags and queues from times ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "stats/IssueQueue.h"
#include "stats/TagBanks.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace gpuocc::calibration;
using namespace llvm;

namespace {

std::vector<std::pair<unsigned, double>> recordedTagStrides() {
  std::vector<std::pair<unsigned, double>> Points;
  auto File = MemoryBuffer::getFile(
      GPUOCC_SOURCE_DIR
      "/calibration/results/nvidia-h200/2026-11-21T1820/tag-banks.csv");
  if (!File)
    return Points;
  for (line_iterator Row(**File, /*SkipBlanks=*/true, '#'); !Row.is_at_eof();
       ++Row) {
    auto [First, Second] = Row->split(',');
    unsigned Lines;
    double Cycles;
    if (!First.getAsInteger(10, Lines) && !Second.getAsDouble(Cycles))
      Points.push_back({Lines, Cycles});
  }
  return Points;
}

/// Cycles of 1 to 300 lines between lanes.
std::vector<std::pair<unsigned, double>>
strides(function_ref<double(unsigned)> CyclesOf) {
  std::vector<std::pair<unsigned, double>> Points;
  for (unsigned Stride = 1; Stride <= 300; ++Stride)
    Points.push_back({Stride, CyclesOf(Stride)});
  return Points;
}

} // namespace

TEST(TagBanks, AreThoseOfAnH200) {
  const auto Points = recordedTagStrides();
  ASSERT_EQ(Points.size(), 300u);
  std::optional<TagBanks> Banks = tagBanks(Points);
  ASSERT_TRUE(Banks);
  EXPECT_EQ(Banks->Low, 12143u);
  EXPECT_EQ(Banks->High, 15029u);
  EXPECT_LT(Banks->MeanError, 0.3);
}

TEST(TagBanks, OfTwoLowBitsAreFound) {
  // Four banks by the two low bits of a line's number, and a third mask of
  // both: an odd stride takes 8 cycles, twice an odd one 16, other ones 32.
  std::optional<TagBanks> Banks = tagBanks(strides([](unsigned Stride) {
    return Stride % 2 ? 8.0 : Stride % 4 ? 16.0 : 32.0;
  }));
  ASSERT_TRUE(Banks);
  EXPECT_EQ(Banks->Low, 2u);
  EXPECT_EQ(Banks->High, 3u);
  EXPECT_EQ(Banks->MeanError, 0);
}

TEST(TagBanks, AreNotWhereTimesAreAlike) {
  EXPECT_FALSE(tagBanks(strides([](unsigned) { return 4.0; })));
  EXPECT_FALSE(tagBanks({{1, 8.0}, {2, 16.0}}));
}

TEST(IssueQueue, HoldsTwoSpecialFunctions) {
  // Warps of a scheduler of an H200 (2026-11-22T0004/queues.csv).
  std::optional<IssueQueue> Queue = queueOfOneEach({66, 44, 57, 46}, 8);
  ASSERT_TRUE(Queue);
  EXPECT_EQ(Queue->Entries, 2);
  EXPECT_EQ(Queue->DelayCycles, 5);
}

TEST(IssueQueue, IsNotSeenWhereNoWarpWaits) {
  EXPECT_FALSE(queueOfOneEach({44, 46, 48, 50}, 8));
  EXPECT_FALSE(queueOfOneEach({}, 8));
}

TEST(IssueQueue, FollowsFromBurstsOfTwoLengths) {
  // 16 warps with 20 loads of 64 and 128 bits each, the first of which is
  // issued after 44 cycles (2026-11-22T0004/queues.csv).
  std::optional<IssueQueue> Queue =
      queueOfBursts({{2, 320, 585 - 44}, {4, 320, 1105 - 44}});
  ASSERT_TRUE(Queue);
  EXPECT_EQ(Queue->Entries, 60);
  EXPECT_EQ(Queue->DelayCycles, 21);
  EXPECT_FALSE(queueOfBursts({{2, 320, 541}}));
}
