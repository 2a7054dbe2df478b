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
}

TEST(DefaultNumber, IsWhatDevicesDoNotState) {
  EXPECT_EQ(defaultNumber(Quantity::IssueWidth), 1);
  EXPECT_EQ(defaultNumber(Quantity::ColdStart), 0);
  EXPECT_EQ(defaultNumber(Quantity::L1LineBytes), 128);
  EXPECT_EQ(defaultNumber(TimingField::IssueSlots), 1);
}

TEST(DefaultNumber, GivesWayToWhatAnArchitectureStates) {
  const auto Subpartitions = &ArchLimits::SubpartitionsPerSm;
  EXPECT_EQ(limitOrDefault(limits("sm_90"), Subpartitions), 4u);
  EXPECT_EQ(limitOrDefault(limits("sm_10"), Subpartitions), 1u);
  EXPECT_EQ(limitOrDefault(limits("sm_80"), &ArchLimits::MaxClusterBlocks), 1u);
}

} // namespace
