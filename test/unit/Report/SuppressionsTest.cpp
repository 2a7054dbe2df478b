//===- SuppressionsTest.cpp - Findings that a source silences -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/Suppressions.h"
#include "gpuocc/Report/RuleIds.h"
#include "gtest/gtest.h"

using namespace gpuocc;

static Suppressions parse(llvm::StringRef Text) {
  return Suppressions::parse(Text, "a.cu");
}

TEST(Suppressions, NolintHoldsForItsLineAndRule) {
  Suppressions S = parse("a\nx; // NOLINT(gpu-occupancy-BankConflict)\nb\n");
  EXPECT_TRUE(S.covers(2, RuleId::BankConflict));
  EXPECT_FALSE(S.covers(2, RuleId::TailEffect));
  EXPECT_FALSE(S.covers(1, RuleId::BankConflict));
  EXPECT_FALSE(S.covers(3, RuleId::BankConflict));
  EXPECT_TRUE(S.notes().empty());
}

TEST(Suppressions, NextLineHoldsForTheNext) {
  Suppressions S = parse("// NOLINTNEXTLINE(a-b, gpu-occupancy-TailEffect)\n");
  EXPECT_FALSE(S.covers(1, RuleId::TailEffect));
  EXPECT_TRUE(S.covers(2, RuleId::TailEffect));
}

TEST(Suppressions, BlocksHoldBetweenBeginAndEnd) {
  Suppressions S = parse("\n// NOLINTBEGIN(gpu-occupancy-TailEffect)\nx\n"
                         "// NOLINTEND(gpu-occupancy-TailEffect)\ny\n");
  EXPECT_FALSE(S.covers(1, RuleId::TailEffect));
  EXPECT_TRUE(S.covers(3, RuleId::TailEffect));
  EXPECT_FALSE(S.covers(5, RuleId::TailEffect));
  EXPECT_TRUE(S.notes().empty());
}

TEST(Suppressions, BlocksWithoutTheirOtherHalfAreSaidAndSilenceNothing) {
  Suppressions S = parse("// NOLINTBEGIN(gpu-occupancy-TailEffect)\n"
                         "// NOLINTEND(gpu-occupancy-BankConflict)\n");
  EXPECT_FALSE(S.covers(1, RuleId::TailEffect));
  ASSERT_EQ(S.notes().size(), 2u);
  EXPECT_EQ(S.notes()[0], "a.cu:2: NOLINTEND(gpu-occupancy-BankConflict) "
                          "without NOLINTBEGIN");
  EXPECT_EQ(S.notes()[1], "a.cu:1: NOLINTBEGIN(gpu-occupancy-TailEffect) "
                          "without NOLINTEND");
}

TEST(Suppressions, PatternsTakeWhatAsksForAChange) {
  Suppressions S = parse("// NOLINT(gpu-occupancy-*)\n");
  EXPECT_TRUE(S.covers(1, RuleId::BankConflict));
  EXPECT_FALSE(S.covers(1, RuleId::KernelVerdict));
  EXPECT_FALSE(S.covers(1, RuleId::NotAnalyzed));
  Suppressions Some = parse("// NOLINT(gpu-occupancy-Divergent*)\n");
  EXPECT_TRUE(Some.covers(1, RuleId::DivergentLoop));
  EXPECT_FALSE(Some.covers(1, RuleId::BankConflict));
}

TEST(Suppressions, CommentsForOtherToolsAreNotOurs) {
  Suppressions S = parse("// NOLINT\n// NOLINT(*)\n// NOLINT(bugprone-*)\n");
  for (unsigned Line : {1, 2, 3})
    EXPECT_FALSE(S.covers(Line, RuleId::BankConflict));
  EXPECT_TRUE(S.notes().empty());
}

TEST(Suppressions, NamesOfNoRuleAreSaid) {
  Suppressions S = parse("// NOLINT(gpu-occupancy-BankConflcit)\n"
                         "// NOLINT(gpu-occupancy)\n");
  ASSERT_EQ(S.notes().size(), 2u);
  EXPECT_EQ(S.notes()[0], "a.cu:1: 'gpu-occupancy-BankConflcit' names no rule; "
                          "did you mean 'BankConflict'?");
  EXPECT_EQ(S.notes()[1], "a.cu:2: 'gpu-occupancy' names no rule");
}

TEST(Suppressions, AttributesHoldForTheKernelThatFollows) {
  Suppressions S = parse(
      "[[clang::annotate(\"gpu-occupancy: suppress TailEffect, Bank*\")]]\n"
      "__global__ void\nk(int n) {\n}\n__global__ void other() {}\n");
  for (unsigned Line : {1, 2, 3}) {
    EXPECT_TRUE(S.coversKernel(Line, RuleId::TailEffect));
    EXPECT_TRUE(S.coversKernel(Line, RuleId::BankConflict));
    EXPECT_FALSE(S.covers(Line, RuleId::TailEffect));
  }
  EXPECT_FALSE(S.coversKernel(5, RuleId::TailEffect));
}

TEST(Suppressions, AttributesThatSayMoreAreSaid) {
  Suppressions S = parse("[[clang::annotate(\"gpu-occupancy: hide X\")]]\n");
  ASSERT_EQ(S.notes().size(), 1u);
  EXPECT_EQ(S.notes()[0], "a.cu:1: expected 'gpu-occupancy: suppress RULE'");
}
