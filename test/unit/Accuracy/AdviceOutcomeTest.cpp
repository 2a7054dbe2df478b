//===- AdviceOutcomeTest.cpp - Advice beside what it brought --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdviceOutcome.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Report/RuleIds.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

// 512 threads with 72 registers, its own variant; a limit; another block.
static const MeasuredVariant Ways[] = {
    {{512, 72}, 1000}, {{512, 64}, 520}, {{64, 72}, 500}};

static KernelReport reportWith(std::vector<Evidence> Message,
                               std::optional<double> Gain) {
  KernelReport R;
  R.Launched.Block.Value = {512, 1, 1};
  R.Facts.Resources.RegistersPerThread = 72;
  Finding F;
  F.Rule = RuleId::LaunchBoundsAdvice;
  F.Message = std::move(Message);
  if (Gain)
    F.Gain = *Gain;
  R.Findings.push_back(std::move(F));
  return R;
}

TEST(AdviceOutcome, LaunchBoundsChangeRegistersAlone) {
  std::optional<AdvisedVariant> A = advisedVariant(
      reportWith({{"Threads", "512"}, {"Registers", "64"}}, 1.5));
  ASSERT_TRUE(A);
  EXPECT_EQ(A->Way, (LaunchVariant{512, 64}));
  EXPECT_DOUBLE_EQ(A->Gain, 1.5);
}

TEST(AdviceOutcome, BlockSizesKeepTheRegisters) {
  std::optional<AdvisedVariant> A =
      advisedVariant(reportWith({{"Threads", "64"}}, 1.5));
  ASSERT_TRUE(A);
  EXPECT_EQ(A->Way, (LaunchVariant{64, 72}));
}

TEST(AdviceOutcome, WhatNothingPaysForIsLeft) {
  EXPECT_FALSE(advisedVariant(reportWith({{"Registers", "40"}}, std::nullopt)));
  EXPECT_FALSE(advisedVariant(KernelReport()));
}

TEST(AdviceOutcome, NearTheFastestIsAHit) {
  AdviceOutcome O = judgeAdvice("k", AdvisedVariant{{512, 64}, 1.8}, Ways);
  EXPECT_NEAR(*O.Measured, 1000.0 / 520, 1e-9);
  EXPECT_DOUBLE_EQ(O.BestGain, 2);
  EXPECT_TRUE(O.isHit());
}

TEST(AdviceOutcome, LeavingWhatCouldBeFasterIsAMiss) {
  AdviceOutcome O = judgeAdvice("k", std::nullopt, Ways);
  EXPECT_TRUE(O.helps());
  EXPECT_FALSE(O.isHit());
  EXPECT_TRUE(judgeAdvice("k", std::nullopt, ArrayRef(Ways, 1)).isHit());
}

TEST(AdviceOutcome, WhatWasNotMeasuredIsNoHit) {
  AdviceOutcome O = judgeAdvice("k", AdvisedVariant{{512, 48}, 1.8}, Ways);
  EXPECT_FALSE(O.Measured);
  EXPECT_FALSE(O.helps());
  EXPECT_FALSE(O.isHit());
}

TEST(AdviceOutcome, SummaryHasHitsAndTheWorstMiss) {
  AdviceOutcome Outcomes[] = {
      judgeAdvice("good", AdvisedVariant{{512, 64}, 1.8}, Ways),
      judgeAdvice("bad", std::nullopt, Ways)};
  EXPECT_DOUBLE_EQ(hitPercent(Outcomes), 50);
  std::string Text;
  raw_string_ostream OS(Text);
  printAdvice(Outcomes, OS);
  EXPECT_NE(Text.find("1 of 2, 50 %"), std::string::npos) << Text;
  EXPECT_NE(Text.find("worst miss: bad, 2.00x slower than with blocks of 64\n"),
            std::string::npos)
      << Text;
}
