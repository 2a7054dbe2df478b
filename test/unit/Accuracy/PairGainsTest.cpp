//===- PairGainsTest.cpp - Predicted and measured gains of pairs ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairGains.h"
#include "gpuocc/Report/RuleIds.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static KernelReport reportWith(std::vector<std::pair<RuleId, double>> Gains) {
  KernelReport R;
  for (auto [Rule, Gain] : Gains) {
    R.Findings.emplace_back();
    R.Findings.back().Rule = Rule;
    R.Findings.back().Gain = Gain;
  }
  return R;
}

TEST(PairGains, OneFindingPromisesItsGain) {
  KernelReport R = reportWith(
      {{RuleId::BankConflict, 3.0}, {RuleId::UncoalescedAccess, 1.5}});
  EXPECT_DOUBLE_EQ(*gainOfFindings(R, {RuleId::BankConflict}), 3);
  EXPECT_FALSE(gainOfFindings(R, {RuleId::TailEffect}));
}

TEST(PairGains, SavedTimesAddUp) {
  // Each of two accesses takes 40 % of the time: without both it takes 20 %.
  double Gain = 1 / (1 - 0.4);
  KernelReport R =
      reportWith({{RuleId::BankConflict, Gain}, {RuleId::BankConflict, Gain}});
  EXPECT_NEAR(*gainOfFindings(R, {RuleId::BankConflict}), 5, 1e-9);
}

TEST(PairGains, FindingsThatSaveMoreThanAllMultiply) {
  KernelReport R =
      reportWith({{RuleId::BankConflict, 4.0}, {RuleId::BankConflict, 4.0}});
  EXPECT_DOUBLE_EQ(*gainOfFindings(R, {RuleId::BankConflict}), 16);
}

TEST(PairGains, SummaryHasMedianAndWorst) {
  std::vector<PairGain> Pairs(3);
  Pairs[0] = {"a", 2.0, 2.2, 2.0};
  Pairs[1] = {"b", 1.0, 1.5, std::nullopt};
  Pairs[2] = {"c", 4.0, std::nullopt, 2.0};
  std::string Text;
  raw_string_ostream OS(Text);
  printPairGains(Pairs, OS);
  EXPECT_NE(
      Text.find("2 pairs, median error 30.0 % (target 10 %), worst 1.50x"),
      std::string::npos)
      << Text;
  EXPECT_NE(
      Text.find("2 pairs, median error 25.0 % (target 10 %), worst 2.00x"),
      std::string::npos)
      << Text;
}
