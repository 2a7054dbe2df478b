//===- ExpectedErrorTest.cpp - How far predictions on a device are --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/ExpectedError.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;

static std::string textOf(StringRef Name) {
  Expected<DeviceModel> Device = loadDevice(Name);
  return Device ? expectedErrorText(*Device) : toString(Device.takeError());
}

TEST(ExpectedError, IsKnownOfDevicesLikeThoseThatWereCompared) {
  EXPECT_EQ(textOf("nvidia-h200"), "9 %, 1.47x");
  EXPECT_EQ(textOf("nvidia-h100"), "9 %, 1.47x");
  EXPECT_EQ(textOf("nvidia-gh200"), "13 %, 1.56x");
}

TEST(ExpectedError, IsNotKnownOfOthers) {
  // From another architecture, from a derived device, and published alone.
  EXPECT_EQ(textOf("nvidia-a100-80gb"), "not known");
  EXPECT_EQ(textOf("nvidia-rtx-4090"), "not known");
  EXPECT_EQ(textOf("nvidia-gtx-680"), "not known");
}

TEST(ExpectedError, CountsNumbersByOrigin) {
  Expected<DeviceModel> Device = loadDevice("nvidia-gh200");
  ASSERT_TRUE(bool(Device)) << toString(Device.takeError());
  EXPECT_EQ(numbersOfOrigin(*Device, NumberOrigin::Measured), 0u);
  EXPECT_GT(numbersOfOrigin(*Device, NumberOrigin::Derived), 400u);
}
