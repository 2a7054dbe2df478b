//===- FormatTest.cpp - Tests of numbers in messages ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/Selection.h"
#include "gtest/gtest.h"
#include <limits>

using namespace gpuocc;

namespace {

TEST(Format, ThreeSignificantDigits) {
  EXPECT_EQ(formatNumber(0.04451), "0.0445");
  EXPECT_EQ(formatNumber(2.5), "2.5");
  EXPECT_EQ(formatNumber(9.996), "10");
  EXPECT_EQ(formatNumber(12), "12");
  EXPECT_EQ(formatNumber(99.97), "100");
  EXPECT_EQ(formatNumber(184.5), "184");
  EXPECT_EQ(formatNumber(8192), "8192");
  EXPECT_EQ(formatNumber(812171891111), "812171891111");
  EXPECT_EQ(formatNumber(1566669663956844807192576.0), "1.57e24");
  EXPECT_EQ(formatNumber(-9.999e14), "-1e15");
  EXPECT_EQ(formatNumber(0), "0");
  EXPECT_EQ(formatNumber(-1e-15), "0");
  EXPECT_EQ(formatNumber(-3.14159), "-3.14");
  EXPECT_EQ(formatNumber(std::numeric_limits<double>::infinity()), "unbounded");
  EXPECT_EQ(formatNumber(std::numeric_limits<double>::quiet_NaN()), "unknown");
}

TEST(Format, Units) {
  EXPECT_EQ(formatRatio(2.93), "2.9x");
  EXPECT_EQ(formatRatio(1.07), "1.07x");
  EXPECT_EQ(formatRatio(31.7), "32x");
  EXPECT_EQ(formatCount(1, "request"), "1 request");
  EXPECT_EQ(formatCount(0.97, "request"), "0.97 requests");
  EXPECT_EQ(formatChange(24, 16), " instead of 16");
  EXPECT_EQ(formatChange(16, 16), ", as before");
  EXPECT_EQ(formatWarps(8.18), "9");
  EXPECT_EQ(formatWarps(16.0000000001), "16");
  EXPECT_EQ(formatPercent(0.468), "47 %");
  EXPECT_EQ(formatPercent(0.004), "0.4 %");
  EXPECT_EQ(formatPercent(0), "0 %");
  EXPECT_EQ(formatTime(812), "812 ns");
  EXPECT_EQ(formatTime(12345), "12.3 us");
  EXPECT_EQ(formatTime(4.56e6), "4.56 ms");
  EXPECT_EQ(formatTime(1.2e9), "1.2 s");
  EXPECT_EQ(formatDim({256, 1, 1}), "256");
  EXPECT_EQ(formatDim({32, 8, 1}), "32x8");
  EXPECT_EQ(formatDim({32, 1, 2}), "32x1x2");
  EXPECT_EQ(formatPlace({"a.cu", 3, 0, ""}), "a.cu:3");
  EXPECT_EQ(formatPlace({"a.cu", 3, 7, ""}), "a.cu:3:7");
  EXPECT_EQ(formatPlace({}), "");
}

Finding finding(RuleId Rule) {
  Finding F;
  F.Rule = Rule;
  F.Remark = ruleRemarkKind(Rule);
  return F;
}

TEST(Selection, OneVerdictAndTheMostCostly) {
  KernelReport R;
  R.Findings = {finding(RuleId::BankConflict), finding(RuleId::KernelVerdict),
                finding(RuleId::TailEffect),   finding(RuleId::Assumption),
                finding(RuleId::LocalMemory),  finding(RuleId::NotAnalyzed)};
  Selection S = selectFindings(R, 2);
  EXPECT_EQ(S.Verdict, &R.Findings[1]);
  ASSERT_EQ(S.Costly.size(), 2u);
  EXPECT_EQ(S.Costly[1], &R.Findings[2]);
  EXPECT_EQ(S.LeftOut, 1u);
  EXPECT_EQ(leftOutText(S), "1 more finding of smaller gain left out");
  EXPECT_EQ(S.Evidence.size(), 1u);
  EXPECT_EQ(S.Missed.size(), 1u);
  EXPECT_EQ(selectFindings(R, 0).LeftOut, 0u);
}

TEST(Selection, PlacesInTheUsersCode) {
  SourceLocation L;
  L.Places = {{"/usr/local/cuda/include/math.hpp", 4, 1, "f"},
              {"k.cu", 12, 3, "k"}};
  EXPECT_EQ(placeToShow(L).File, "k.cu");
  L.Places.pop_back();
  EXPECT_EQ(placeToShow(L).Line, 4u);
  EXPECT_FALSE(placeToShow({}).isValid());
}

} // namespace
