//===- DeviceViewTest.cpp - Device databases for a reader -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/DeviceView.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;
using ::testing::HasSubstr;

namespace {

Number number(double Value, std::string Unit) {
  Number N;
  N.Value = Value;
  N.Unit = std::move(Unit);
  N.Origin = NumberOrigin::Paper;
  N.Source = "P, Table 1";
  return N;
}

DeviceModel device(std::string Name) {
  DeviceModel Device;
  Device.Name = std::move(Name);
  Device.DisplayName = "Test GPU";
  Device.Architecture = "sm_90";
  Device.Quantities[Quantity::SmCount] = number(132, "count");
  Number &Latency = Device.Quantities[Quantity::DramLatency];
  Latency = number(600.25, "cycle");
  Latency.Origin = NumberOrigin::Measured;
  Latency.Source = "kernel chase";
  Latency.Date = "2026-11-21";
  Latency.Samples = 25;
  Latency.Spread = 0.002;
  Latency.Stable = false;
  return Device;
}

} // namespace

TEST(DeviceView, EachNumberWithItsProvenance) {
  std::string Text;
  raw_string_ostream OS(Text);
  writeDeviceText(device("a"), OS);
  EXPECT_THAT(Text, HasSubstr("a: Test GPU, sm_90, published\n"));
  EXPECT_THAT(Text, HasSubstr("132 count              paper: P, Table 1\n"));
  EXPECT_THAT(Text, HasSubstr("600.25 cycle              measured, 25 repeats, "
                              "+-0.2 %, 2026-11-21, unstable: kernel chase\n"));
  EXPECT_THAT(Text, HasSubstr("\nnot known, quantities ("));
  EXPECT_THAT(Text, HasSubstr("shared_latency_cycles, "));
  EXPECT_THAT(Text, HasSubstr("): fp32.add, "));
}

TEST(DeviceView, ComparisonCountsAndGivesRatios) {
  DeviceModel First = device("a"), Second = device("b");
  Second.Quantities[Quantity::DramLatency].Value = 1200.5;
  Second.Quantities[Quantity::SharedLatency] = number(30, "cycle");
  std::string Text;
  raw_string_ostream OS(Text);
  writeDeviceComparison(First, Second, OS);
  EXPECT_THAT(Text, HasSubstr("600.25         1200.5    2.000x  cycle\n"));
  EXPECT_THAT(Text, HasSubstr("-             30            cycle\n"));
  EXPECT_THAT(Text, HasSubstr("\n2 numbers in both, 1 equal, 1 different; 0 "
                              "only in a, 1 only in b\n"));
}
