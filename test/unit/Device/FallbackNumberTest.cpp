//===- FallbackNumberTest.cpp - Numbers for devices that lack them --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/FallbackNumber.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

const ArchLimits &limits(llvm::StringRef Architecture) {
  return llvm::cantFail(archLimits(Architecture));
}

TEST(FallbackNumber, IsNamedWithItsOrigin) {
  const FallbackNumber *Latency = fallbackNumber(Quantity::SharedLatency);
  ASSERT_NE(Latency, nullptr);
  EXPECT_EQ(Latency->Value, 29);
  EXPECT_EQ(Latency->Origin, "sm_70");
  EXPECT_EQ(fallbackNumber(Quantity::IssueWidth), nullptr);
  EXPECT_EQ(fallbackNumber(Quantity::ColdStart)->Origin, "none");
  EXPECT_EQ(borrowedNumber("a", "b"), "a (b)");
}

TEST(FallbackNumber, IsThereForTimingsAndArchitectures) {
  EXPECT_EQ(fallbackNumber(TimingField::LatencyCycles)->Value, 4);
  EXPECT_EQ(fallbackNumber(TimingField::NeededWarps), nullptr);
  EXPECT_EQ(fallbackNumber(&ArchLimits::SharedBanks)->Value, 32);
  EXPECT_EQ(fallbackNumber(&ArchLimits::MaxWarpsPerSm), nullptr);
}

TEST(ArchLimits, SayWhatAllDevicesOfAnArchitectureHaveAlike) {
  EXPECT_EQ(limits("sm_20").SharedBanks, 32u);
  EXPECT_EQ(limits("sm_13").SharedBanks, std::nullopt);
  EXPECT_EQ(limits("sm_70").InstructionBytes, 16u);
  EXPECT_EQ(limits("sm_62").InstructionBytes, std::nullopt);
  EXPECT_EQ(archLimitsOrNone("sm_0").MaxWarpsPerSm, std::nullopt);
  EXPECT_EQ(archLimitsOrNone("sm_90a").MaxWarpsPerSm, 64u);
}

TEST(DefaultNumber, IsWhatDevicesDoNotState) {
  EXPECT_EQ(defaultNumber(Quantity::IssueWidth), 1);
  EXPECT_EQ(defaultNumber(Quantity::L2Partitions), 1);
  EXPECT_EQ(defaultNumber(TimingField::IssueSlots), 1);
}

TEST(DefaultNumber, GivesWayToWhatAnArchitectureStates) {
  const auto Subpartitions = &ArchLimits::SubpartitionsPerSm;
  EXPECT_EQ(limitOrDefault(limits("sm_90"), Subpartitions), 4u);
  EXPECT_EQ(limitOrDefault(limits("sm_10"), Subpartitions), 1u);
  EXPECT_EQ(limitOrDefault(limits("sm_80"), &ArchLimits::MaxClusterBlocks), 1u);
}

} // namespace
