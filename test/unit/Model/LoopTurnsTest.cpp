//===- LoopTurnsTest.cpp - Warps that run one loop together ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/LoopTurns.h"
#include "gpuocc/Model/PhaseNetwork.h"
#include "gtest/gtest.h"

using namespace gpuocc;

static LoopInstruction instruction(uint8_t Pipe, double PipeCycles,
                                   double Latency,
                                   std::initializer_list<uint32_t> Inputs) {
  LoopInstruction I;
  I.Pipe = Pipe;
  I.PipeCycles = PipeCycles;
  I.LatencyCycles = Latency;
  for (uint32_t Input : Inputs)
    I.Inputs.push_back({Input, 0});
  return I;
}

/// A special function and four additions, each waiting for the one before, and
/// the first for the last of the pass before.
static std::vector<LoopInstruction> chain() {
  std::vector<LoopInstruction> Body = {instruction(1, 8, 18, {4})};
  for (uint32_t I = 0; I != 4; ++I)
    Body.push_back(instruction(0, 1, 4, {I}));
  return Body;
}

TEST(LoopTurns, OneWarpTakesItsLatency) {
  EXPECT_NEAR(cyclesBetweenPasses(chain(), 4, true, 1, 8).front(), 34, 0.1);
}

TEST(LoopTurns, WarpsThatFitFallIntoStep) {
  std::vector<double> Cycles = cyclesBetweenPasses(chain(), 4, true, 16, 8);
  ASSERT_GE(Cycles.size(), 4u);
  // The special functions of four warps take 32 of 34 cycles.
  EXPECT_NEAR(Cycles[1], 17, 0.2);
  EXPECT_NEAR(Cycles[3], 8.5, 0.5);
  EXPECT_EQ(Cycles.back(), 8);
  // Phases that chance mixes are slower.
  PhaseNetwork Mixed({WarpPhase{18, 8}, WarpPhase{16, 4}}, 16);
  EXPECT_LT(Cycles[3] * Mixed.throughput(4, 0), 0.95);
}

TEST(LoopTurns, MoreWarpsAreNeverSlower) {
  std::vector<LoopInstruction> Body = chain();
  Body.insert(Body.begin() + 3, instruction(2, 3, 4, {2}));
  Body.back().Inputs[0].Index = 3;
  std::vector<double> Cycles = cyclesBetweenPasses(Body, 4, true, 16, 8);
  for (size_t I = 1; I < Cycles.size(); ++I)
    EXPECT_LE(Cycles[I], Cycles[I - 1]);
}

TEST(LoopTurns, StallsPassWhateverWasWaitedFor) {
  // The assembler lets 6 cycles pass behind the use of a special function.
  std::vector<LoopInstruction> Body = {instruction(1, 8, 18, {2}),
                                       instruction(0, 1, 4, {0}),
                                       instruction(0, 1, 4, {0})};
  double Free = cyclesBetweenPasses(Body, 4, true, 1, 8).front();
  Body[1].NextCycles = 6;
  EXPECT_NEAR(cyclesBetweenPasses(Body, 4, true, 1, 8).front() - Free, 5, 0.1);
}

TEST(LoopTurns, TheWarpThatIssuedLastGoesOn) {
  // A load of 20 cycles and 20 additions that wait for it. The next load of one
  // warp waits until the other is through with its additions, so that both wait
  // for their loads at once: 60 cycles for two passes, of which 42 are used.
  std::vector<LoopInstruction> Body = {instruction(1, 1, 20, {20})};
  for (uint32_t I = 0; I != 20; ++I)
    Body.push_back(instruction(0, 1, 4, {0}));
  std::vector<double> Cycles = cyclesBetweenPasses(Body, 4, true, 2, 21);
  EXPECT_NEAR(Cycles[0], 43, 0.1);
  EXPECT_NEAR(Cycles[1], 31, 1);
}

TEST(LoopTurns, SchedulersShareAStage) {
  // A load with 8-way conflicts, and an addition to what it brought.
  std::vector<LoopInstruction> Body = {instruction(1, 4, 23, {1}),
                                       instruction(0, 1, 4, {0})};
  Body[0].StageCycles = 8;
  EXPECT_NEAR(cyclesBetweenPasses(Body, 1, true, 1, 8).front(), 27, 0.1);
  EXPECT_NEAR(cyclesBetweenPasses(Body, 4, true, 1, 8).front(), 32, 0.1);
}

TEST(LoopTurns, AWarpGoesOnWhileItsInstructionsQueue) {
  // Three special functions of 8 cycles, then additions of 18 that need none.
  std::vector<LoopInstruction> Body;
  for (uint32_t I = 0; I != 3; ++I)
    Body.push_back(instruction(1, 8, 18, {}));
  for (uint32_t I = 0; I != 18; ++I)
    Body.push_back(instruction(0, 1, 4, {}));
  double Waits = cyclesBetweenPasses(Body, 4, true, 1, 21).front();
  for (LoopInstruction &I : Body)
    if (I.Pipe == 1)
      I.Queue.Entries = 3;
  double GoesOn = cyclesBetweenPasses(Body, 4, true, 1, 21).front();
  EXPECT_NEAR(Waits, 17 + 18, 1);
  EXPECT_NEAR(GoesOn, 24, 0.1);
}

TEST(LoopTurns, AFullQueueStopsTheWarp) {
  // With two entries the third special function is issued when the pipe is done
  // with the first, which it got 5 cycles after its issue: in cycle 13. Then
  // come 18 additions.
  std::vector<LoopInstruction> Body;
  for (uint32_t I = 0; I != 3; ++I) {
    Body.push_back(instruction(1, 8, 18, {}));
    Body.back().Queue = {2, 5};
  }
  for (uint32_t I = 0; I != 18; ++I)
    Body.push_back(instruction(0, 1, 4, {}));
  EXPECT_NEAR(cyclesBetweenPasses(Body, 4, true, 1, 21).front(), 13 + 1 + 18,
              0.1);
}

TEST(LoopTurns, APipeGetsWhatWaitedInASlotOfItsScheduler) {
  // A special function of two slots and nine additions: the second slot lies
  // between the additions, and the pass takes 11 cycles. An addition that waits
  // for one that is issued just before that slot comes a cycle later.
  std::vector<LoopInstruction> Body = {instruction(1, 8, 18, {})};
  Body[0].IssueCycles = 2;
  Body[0].Queue = {2, 5};
  for (uint32_t I = 0; I != 9; ++I)
    Body.push_back(instruction(0, 1, 4, {}));
  EXPECT_NEAR(cyclesBetweenPasses(Body, 4, true, 1, 8).front(), 11, 0.1);
  Body.resize(3);
  Body[2].Inputs.push_back({1, 0});
  Body[2].NextCycles = 7;
  EXPECT_NEAR(cyclesBetweenPasses(Body, 4, true, 1, 8).front(), 6 + 7, 0.1);
  Body[0].Queue.DelayCycles = 4;
  EXPECT_NEAR(cyclesBetweenPasses(Body, 4, true, 1, 8).front(), 5 + 7, 0.1);
}

TEST(LoopTurns, WhatIsNotIssuedTakesNoTime) {
  std::vector<LoopInstruction> Body = chain();
  LoopInstruction Phi;
  Phi.IsIssued = false;
  Phi.Inputs.push_back({5, 0});
  Body.insert(Body.begin(), Phi);
  for (uint32_t I = 1; I != Body.size(); ++I)
    Body[I].Inputs[0].Index = I - 1;
  EXPECT_NEAR(cyclesBetweenPasses(Body, 4, true, 1, 8).front(), 34, 0.1);
}

TEST(LoopTurns, NothingToIssueIsNoLoop) {
  LoopInstruction Phi;
  Phi.IsIssued = false;
  EXPECT_TRUE(cyclesBetweenPasses({Phi}, 4, true, 4, 1).empty());
}
