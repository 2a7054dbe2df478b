//===- CoverageTableTest.cpp - Times inside and outside intervals ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoverageTable.h"
#include "gtest/gtest.h"
#include <limits>

using namespace gpuocc;

static IntervalCase caseOf(const char *Id, double Low, double High,
                           double Measured, std::vector<std::string> Why) {
  Why.insert(Why.begin(), "the model");
  return {Id, {Low, High, 0.8, std::move(Why)}, Measured};
}

TEST(Coverage, CountsByWhatIntervalsRestOn) {
  constexpr double Open = std::numeric_limits<double>::infinity();
  const std::vector<CoverageClass> Classes =
      coverageOf({caseOf("a", 10, 20, 15, {}),
                  caseOf("b", 10, 40, 41, {"numbers that are not known of x"}),
                  caseOf("c", 10, 20, 9, {}),
                  caseOf("d", 10, Open, 1e6, {"trip counts"})});
  ASSERT_EQ(Classes.size(), 2u);
  // What the device lacks makes no class of its own.
  EXPECT_EQ(Classes[0].DependsOn, "");
  EXPECT_EQ(Classes[0].NumCases, 3u);
  EXPECT_EQ(Classes[0].NumInside, 1u);
  EXPECT_EQ(Classes[0].MedianWidth, 2);
  EXPECT_EQ(Classes[0].Faster, std::vector<std::string>{"c"});
  EXPECT_EQ(Classes[0].Slower, std::vector<std::string>{"b"});
  EXPECT_EQ(Classes[1].DependsOn, "trip counts");
  EXPECT_EQ(Classes[1].NumInside, 1u);
  EXPECT_EQ(Classes[1].MedianWidth, Open);
}

TEST(Coverage, NothingHasNoClasses) { EXPECT_TRUE(coverageOf({}).empty()); }
