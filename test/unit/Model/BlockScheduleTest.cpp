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

TEST(BlockSchedule, LoadsWaitForRegisters) {
  // Three loads of four registers, each summed into the one that is alive.
  std::vector<ScheduleNode> Code;
  CodeRegisters Registers;
  Registers.Values = {{1, false}};
  Registers.AliveBefore = 1;
  for (uint32_t I = 0; I != 3; ++I) {
    const uint32_t Loaded = 1 + 2 * I, Sum = 2 + 2 * I;
    ScheduleNode Load = node(300, 1, 1);
    Load.IsLoad = true;
    Load.Defs = {Loaded};
    ScheduleNode Add = node(4, 1, 0, {2 * I});
    if (I != 0)
      Add.Inputs.push_back(2 * I - 1);
    Add.Uses = {I == 0 ? 0 : Sum - 2, Loaded};
    Add.Defs = {Sum};
    Code.push_back(Load);
    Code.push_back(Add);
    Registers.Values.push_back({4, false});
    Registers.Values.push_back({1, I == 2});
  }
  EXPECT_EQ(issueOrder(Code), (Order{0, 2, 4, 1, 3, 5}));
  Registers.Limit = 12;
  EXPECT_EQ(issueOrder(Code, Registers), (Order{0, 2, 1, 4, 3, 5}));
  Registers.Limit = 8;
  EXPECT_EQ(issueOrder(Code, Registers), (Order{0, 1, 2, 3, 4, 5}));
  // Code that needs five registers has them.
  Registers.Limit = 1;
  EXPECT_EQ(issueOrder(Code, Registers), (Order{0, 1, 2, 3, 4, 5}));
}

TEST(BlockSchedule, AddressesOfStoresLeaveRoomForLoads) {
  // Two loads, their sum, and the address where it is stored.
  std::vector<ScheduleNode> Code = {node(300, 4, 1), node(300, 4, 1),
                                    node(4, 1, 0, {0, 1}), node(9, 1, 0),
                                    node(1, 1, 1, {2, 3})};
  CodeRegisters Registers;
  Registers.Values = {{4, false}, {4, false}, {1, false}, {2, false}};
  Registers.AliveBefore = 1;
  for (uint32_t I = 0; I != 4; ++I)
    Code[I].Defs = {I};
  Code[0].IsLoad = Code[1].IsLoad = true;
  Code[2].Uses = {0, 1};
  Code[4].Uses = {2, 3};
  EXPECT_EQ(issueOrder(Code, Registers), (Order{0, 3, 1, 2, 4}));
  Registers.Limit = 9;
  EXPECT_EQ(issueOrder(Code, Registers), (Order{0, 1, 2, 3, 4}));
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
