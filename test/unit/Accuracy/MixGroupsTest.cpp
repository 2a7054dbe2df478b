//===- MixGroupsTest.cpp - Kinds of SASS instructions -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixGroups.h"
#include "LimiterWords.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

TEST(MixGroups, OpcodesAndClassesMeetInTheSameGroup) {
  EXPECT_EQ(mixGroupOf("IMAD"), mixGroupOf(InstClass::IMadWide));
  EXPECT_EQ(mixGroupOf("FFMA"), mixGroupOf(InstClass::FAdd));
  EXPECT_EQ(mixGroupOf("FSETP"), mixGroupOf(InstClass::ISetp));
  EXPECT_EQ(mixGroupOf("REDG"), mixGroupOf(InstClass::RedGlobal));
  EXPECT_EQ(mixGroupOf("UIADD3"), mixGroupOf(InstClass::UInt));
  EXPECT_EQ(mixGroupOf("BSSY"), mixGroupOf(InstClass::Converge));
  EXPECT_EQ(mixGroupOf("QQQ"), MixGroup::Other);
}

TEST(MixGroups, DistanceIsZeroForEqualSharesAndOneForDisjoint) {
  MixCounts Twice = executedMix({{"IMAD", 8}, {"LDG", 4}}, /*NumWarps=*/2);
  MixCounts Once =
      predictedMix({{InstClass::IMad, 2}, {InstClass::LdGlobal, 1}});
  EXPECT_DOUBLE_EQ(Twice[size_t(MixGroup::Imad)], 4);
  EXPECT_DOUBLE_EQ(mixDistance(Twice, Once), 0);
  EXPECT_DOUBLE_EQ(mixDistance(Once, predictedMix({{InstClass::FAdd, 5}})), 1);
}

TEST(LimiterWords, PercentagesAndStallsAreLeftOut) {
  EXPECT_EQ(limiterWord("memory: L1/shared data pipe 88%"),
            "L1/shared data pipe");
  EXPECT_EQ(limiterWord("latency: long_scoreboard (SM 5%, mem 26%)"),
            "latency");
}

TEST(LimiterWords, OneDataStageServesTwoResources) {
  EXPECT_TRUE(limitersAgree("memory: L1/shared data pipe 88%", Resource::L1));
  EXPECT_TRUE(
      limitersAgree("memory: L1/shared data pipe 88%", Resource::Shared));
  EXPECT_FALSE(limitersAgree("memory: DRAM 64%", Resource::Latency));
}
