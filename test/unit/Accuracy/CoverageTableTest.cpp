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
  return {Id, {Low, High, 0.8, std::move(Why)}, Low, Measured};
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

TEST(Coverage, FactorsAreOfTheCasesThatAreNotHeldOut) {
  std::vector<IntervalCase> Cases;
  for (unsigned I = 0; I != 64; ++I) {
    const std::string Id = "case " + std::to_string(I);
    Cases.push_back(caseOf(Id.c_str(), 10, 20, 15, {}));
    // Those that are held out are outside, and further off.
    if (Cases.back().isHeldOut())
      Cases.back().MeasuredNs = 40;
  }
  const std::vector<CoverageClass> Classes = coverageOf(Cases);
  ASSERT_EQ(Classes.size(), 1u);
  EXPECT_GT(Classes[0].NumHeldOut, 16u);
  EXPECT_LT(Classes[0].NumHeldOut, 48u);
  EXPECT_EQ(Classes[0].NumHeldOutInside, 0u);
  EXPECT_EQ(Classes[0].NumInside, 64 - Classes[0].NumHeldOut);
  EXPECT_EQ(Classes[0].FourFifths, 1.5);
}

TEST(Coverage, NothingHasNoClasses) { EXPECT_TRUE(coverageOf({}).empty()); }
