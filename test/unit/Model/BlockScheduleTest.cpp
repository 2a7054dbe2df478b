//===- BlockScheduleTest.cpp - The order that an assembler gives code -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/BlockSchedule.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static ScheduleNode node(double Latency, double PipeCycles, uint8_t Pipe,
                         ArrayRef<uint32_t> Inputs = {}) {
  ScheduleNode N;
  N.LatencyCycles = Latency;
  N.PipeCycles = PipeCycles;
  N.Pipe = Pipe;
  N.Inputs.assign(Inputs.begin(), Inputs.end());
  return N;
}

using Order = std::vector<uint32_t>;

TEST(BlockSchedule, LongestPathFirst) {
  // An addition, then a load and what uses it.
  std::vector<ScheduleNode> Code = {node(4, 1, 0), node(500, 1, 1),
                                    node(4, 1, 0, {1})};
  EXPECT_EQ(issueOrder(Code), (Order{1, 0, 2}));
}

TEST(BlockSchedule, WorkThatIsReadyFillsTheWaitForAPipe) {
  // Two slow instructions through a pipe that takes one every 8 cycles, each
  // with an addition behind it: the first addition can start at cycle 6, the
  // second slow instruction at cycle 8.
  std::vector<ScheduleNode> Code = {node(6, 8, 1), node(6, 8, 1),
                                    node(4, 1, 0, {0}), node(4, 1, 0, {1})};
  EXPECT_EQ(issueOrder(Code), (Order{0, 2, 1, 3}));
}

TEST(BlockSchedule, KeepsOrderWithoutValues) {
  std::vector<ScheduleNode> Code = {node(4, 1, 0), node(500, 1, 1)};
  Code[1].After = {0};
  EXPECT_EQ(issueOrder(Code), (Order{0, 1}));
}

TEST(BlockSchedule, ProgramOrderOnTies) {
  std::vector<ScheduleNode> Code(4, node(4, 1, 0));
  EXPECT_EQ(issueOrder(Code), (Order{0, 1, 2, 3}));
  EXPECT_TRUE(issueOrder({}).empty());
}
