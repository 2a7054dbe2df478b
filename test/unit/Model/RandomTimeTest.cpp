//===- RandomTimeTest.cpp -------------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/RandomTime.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuocc;

// Of two standard normal variables the greater has mean 1/sqrt(pi) and variance
// 1 - 1/pi.
TEST(RandomTime, LaterOfTwoAlike) {
  RandomTime T = laterOf({100, 1}, {100, 1});
  EXPECT_NEAR(T.MeanCycles, 100 + 0.5642, 1e-4);
  EXPECT_NEAR(T.VarianceCycles2, 0.6817, 1e-4);
}

TEST(RandomTime, FarApartTheLaterOneDecides) {
  RandomTime T = laterOf({1000, 9}, {100, 9});
  EXPECT_EQ(T.MeanCycles, 1000);
  EXPECT_EQ(T.VarianceCycles2, 9);
  T = laterOf({3, 0}, {7, 0});
  EXPECT_EQ(T.MeanCycles, 7);
  EXPECT_EQ(T.VarianceCycles2, 0);
}

// Order statistics of the normal distribution (Teichroew 1956, Table I).
TEST(RandomTime, GreatestOfMany) {
  EXPECT_EQ(expectedGreatest(1), 0);
  EXPECT_NEAR(expectedGreatest(2), 0.5642, 1e-3);
  EXPECT_NEAR(expectedGreatest(8), 1.4236, 1e-3);
  EXPECT_NEAR(expectedGreatest(20), 1.8675, 1e-3);
}

// Loads of one line each from the DRAM of an H200, awaited together, measured
// 2026-11-21: 724 cycles for one with a deviation of 165, 815 for two, 900 for
// four.
TEST(RandomTime, LoadsAwaitedTogether) {
  RandomTime Load{724, 165.0 * 165};
  RandomTime Two = laterOf(Load, Load);
  EXPECT_NEAR(Two.MeanCycles, 815, 0.02 * 815);
  EXPECT_NEAR(laterOf(Two, Two).MeanCycles, 900, 0.02 * 900);
}
