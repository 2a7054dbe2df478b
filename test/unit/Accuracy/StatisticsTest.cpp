//===- StatisticsTest.cpp - Summaries of errors -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuocc;

TEST(Statistics, TimesOffIsTheSameUpAndDown) {
  EXPECT_DOUBLE_EQ(timesOff(3, 2), 1.5);
  EXPECT_DOUBLE_EQ(timesOff(2, 3), 1.5);
  EXPECT_TRUE(std::isinf(timesOff(0, 2)));
}

TEST(Statistics, QuantileIsLinearBetweenNeighbours) {
  EXPECT_FALSE(quantile({}, 0.5));
  EXPECT_EQ(quantile({7}, 0.9), 7);
  EXPECT_EQ(quantile({4, 1}, 0.5), 2.5);
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({1, 2, 3, 4, 5}, 1), 5);
}

TEST(Statistics, GeometricMeanOfReciprocalsIsOne) {
  EXPECT_FALSE(geometricMean({}));
  EXPECT_DOUBLE_EQ(*geometricMean({0.25, 4}), 1);
}
