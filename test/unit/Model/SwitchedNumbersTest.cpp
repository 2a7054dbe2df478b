//===- SwitchedNumbersTest.cpp - Devices without some numbers -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/SwitchedNumbers.h"
#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static const DeviceModel &h200() {
  static DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  return Device;
}

static Mechanisms without(Mechanism M) {
  Mechanisms Used;
  Used.leaveOut(M);
  return Used;
}

TEST(SwitchedNumbers, AllMechanismsLeaveTheDeviceAsItIs) {
  EXPECT_EQ(withNumbersOf(h200(), Mechanisms()).Quantities, h200().Quantities);
}

TEST(SwitchedNumbers, AMechanismTakesItsNumbersAlong) {
  ASSERT_TRUE(h200().find(Quantity::ColdStart));
  DeviceModel Warm = withNumbersOf(h200(), without(Mechanism::ColdStart));
  EXPECT_FALSE(Warm.find(Quantity::ColdStart));
  EXPECT_EQ(Warm.Quantities.size() + 1, h200().Quantities.size());
  ASSERT_FALSE(h200().Contention.empty());
  EXPECT_TRUE(withNumbersOf(h200(), without(Mechanism::MemoryContention))
                  .Contention.empty());
}

TEST(SwitchedNumbers, DualIssueIsANumberOfTheDevice) {
  DeviceModel Kepler = cantFail(loadDevice("nvidia-gtx-680"));
  ASSERT_TRUE(Kepler.find(Quantity::IssueWidth));
  EXPECT_FALSE(withNumbersOf(Kepler, without(Mechanism::DualIssue))
                   .find(Quantity::IssueWidth));
}

TEST(SwitchedNumbers, APredictorSpeaksOfTheDeviceThatItUses) {
  Predictor All(h200());
  EXPECT_EQ(&All.device(), &h200());
  Predictor Warm(h200(), without(Mechanism::ColdStart));
  EXPECT_FALSE(Warm.device().find(Quantity::ColdStart));
  EXPECT_FALSE(Warm.mechanisms().has(Mechanism::ColdStart));
}
