//===- LookBackTest.cpp - Blocks that wait for those before them ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid/LookBack.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuocc;

/// Looks of 100 cycles, of blocks of 1000 cycles.
static LookBack looksOf(unsigned Window) {
  return {Window, /*LookCycles=*/100, /*BeforeCycles=*/900,
          /*BehindCycles=*/0};
}

/// Cycles that \p Blocks that start at once wait.
static double waitOf(unsigned Window, double Blocks) {
  return lookBackCycles(looksOf(Window), {Blocks, Blocks});
}

TEST(LookBack, OneBlockWaitsForNobody) { EXPECT_EQ(waitOf(1, 1), 0); }

TEST(LookBack, BlocksThatStartTogetherTakeTheRootOfTheirNumber) {
  // s looks of w blocks each reach s (s + 1) / 2 w blocks; what the last one
  // meets has to arrive, half a look before and half behind.
  for (double Blocks : {55, 210, 820})
    EXPECT_NEAR(waitOf(1, Blocks) / 100, std::sqrt(2 * Blocks),
                std::sqrt(2 * Blocks) * 0.25)
        << Blocks;
  EXPECT_NEAR(waitOf(32, 960) / 100, std::sqrt(2 * 960.0 / 32), 2.5);
}

TEST(LookBack, WiderLooksWaitLess) {
  EXPECT_LT(waitOf(32, 1000), waitOf(8, 1000));
  EXPECT_LT(waitOf(8, 1000), waitOf(1, 1000));
}

TEST(LookBack, BlocksThatFollowSlowlyMeetASumAtOnce) {
  // The one before has published its sum, and its look is over.
  const LookBackGrid Apart = {1000, 1000, /*StartCycles=*/250};
  EXPECT_NEAR(lookBackCycles(looksOf(1), Apart), 0, 100);
  const LookBackGrid Served = {1000, 1000, 0, /*ServiceCycles=*/250};
  EXPECT_NEAR(lookBackCycles(looksOf(1), Served), 0, 100);
}

TEST(LookBack, LaterWavesAddTheirOwn) {
  const double One = lookBackCycles(looksOf(1), {200, 200});
  const double Four = lookBackCycles(looksOf(1), {800, 200});
  EXPECT_GT(Four, One);
  // Blocks that come when others end no longer start together.
  EXPECT_LT(Four, 4 * One);
  // What is not walked goes on as it was.
  const double Sixteen = lookBackCycles(looksOf(1), {3200, 200});
  EXPECT_GE(Sixteen, Four);
  EXPECT_LT(Sixteen, 16 * One);
}
