//===- WarpTimesTest.cpp - Records of warps ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "stats/WarpTimes.h"
#include <gtest/gtest.h>

using namespace gpuocc::calibration;

static WarpRecord record(uint64_t Sm, uint64_t Start, uint64_t End) {
  return {Start, End, Start / 2, End / 2, Sm, 0};
}

TEST(ReduceWarps, IsZeroForNoRecords) {
  WarpTimes T = reduceWarps({});
  EXPECT_EQ(T.Sms, 0u);
  EXPECT_EQ(T.SmCycles, 0);
}

TEST(ReduceWarps, TreatsEachSmByItself) {
  // The clocks of SM 7 are far from those of SM 3.
  WarpTimes T = reduceWarps(
      {record(3, 100, 300), record(3, 150, 400), record(7, 90000, 90100)});
  EXPECT_EQ(T.Sms, 2u);
  EXPECT_EQ(T.SmCycles, (300 + 100) / 2.0);
  EXPECT_EQ(T.SmCyclesMax, 300);
  EXPECT_NEAR(T.WarpCycles, (200 + 250 + 100) / 3.0, 1e-9);
  EXPECT_EQ(T.MinWarpsPerSm, 1u);
  EXPECT_EQ(T.MaxWarpsPerSm, 2u);
  EXPECT_NEAR(T.CyclesPerNs, 2, 1e-9);
}

TEST(ReduceWarps, CountsTheWarpsThatAnSmHasAtOnce) {
  // SM 3 has two warps at once, the third begins when the first one ends.
  WarpTimes T = reduceWarps({record(3, 100, 200), record(3, 150, 400),
                             record(3, 200, 300), record(7, 90000, 90100)});
  EXPECT_EQ(T.MinResident, 1u);
  EXPECT_EQ(T.MaxResident, 2u);
}

TEST(OccupancyCheck, NamesTheLaunchThatIsFurthestApart) {
  OccupancyCheck Check;
  EXPECT_EQ(Check.text(), "");
  WarpTimes T;
  T.Sms = 2;
  T.MinResident = T.MaxResident = 16;
  Check.add(0, T);
  Check.add(16, T);
  EXPECT_EQ(Check.text(),
            "1 of 1 launches had the warps per SM that they asked for");
  Check.begin("pipes");
  T.MinResident = 15;
  Check.add(16, T);
  T.MinResident = 12;
  T.SmCyclesMax = 300;
  Check.add(16, T);
  T.SmCyclesMax = 0;
  T.MinResident = T.MaxResident = 18;
  Check.add(16, T);
  EXPECT_EQ(Check.text(),
            "1 of 4 launches had the warps per SM that they asked for; apart: "
            "pipes 3 of 3; furthest: 16 asked for, 12 found in a launch of 300 "
            "cycles");
}

TEST(BlockGaps, MatchesEndsWithTheStartsTheyAllow) {
  // Two slots: blocks start at 0, 0, 110, 125 and end at 100, 120, 210, 220.
  BlockGaps G = blockGaps({record(0, 0, 100), record(0, 0, 120),
                           record(0, 110, 210), record(0, 125, 220)},
                          1, 2);
  EXPECT_EQ(G.Gaps, (std::vector<double>{10, 5}));
}

TEST(BlockGaps, KnowsTheSkewOfABlocksWarps) {
  BlockGaps G = blockGaps({record(0, 5, 100), record(0, 12, 90)}, 2, 1);
  EXPECT_TRUE(G.Gaps.empty());
  EXPECT_EQ(G.Skews, (std::vector<double>{7}));
}
