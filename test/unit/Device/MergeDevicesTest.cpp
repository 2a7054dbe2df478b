//===- MergeDevicesTest.cpp - One device from several runs
//--------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/MergeDevices.h"
#include "gpuocc/Device/DeviceLint.h"
#include "gpuocc/Support/InstClasses.h"
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;

namespace {

Number measured(double Value, StringRef Unit, double Spread = 0.001) {
  Number N;
  N.Value = Value;
  N.Unit = Unit.str();
  N.Origin = NumberOrigin::Measured;
  N.Source = "a walk";
  N.Date = "2026-11-25";
  N.Samples = 25;
  N.Spread = Spread;
  return N;
}

/// A run of which L2 takes \p Latency cycles and DRAM reads \p Rate.
DeviceModel run(double Latency, double Rate) {
  DeviceModel D;
  D.Name = "a-gpu";
  D.DisplayName = "A GPU";
  D.Architecture = "sm_90";
  D.Quantities[Quantity::SmCount] = measured(132, "count");
  D.Quantities[Quantity::L2HitLatency] = measured(Latency, "cycle");
  D.Quantities[Quantity::DramReadBytesPerCycle] =
      measured(Rate, "byte/cycle/SM");
  D.Instructions[InstClass::FFma].LatencyCycles = measured(4, "cycle");
  D.Record["driver"] = "of the run with " + std::to_string(int(Rate));
  return D;
}

std::string errorOf(ArrayRef<DeviceModel> Runs) {
  Expected<MergedDevice> Merged = mergeDevices(Runs);
  return Merged ? "no error" : toString(Merged.takeError());
}

} // namespace

TEST(MergeDevices, TakesMediansAndTheWidthOfTheRuns) {
  Expected<MergedDevice> Merged =
      mergeDevices({run(280, 12), run(270, 11), run(275, 13)});
  ASSERT_TRUE(bool(Merged)) << toString(Merged.takeError());
  const Number &N = *Merged->Device.find(Quantity::L2HitLatency);
  EXPECT_EQ(N.Value, 275);
  EXPECT_EQ(N.Samples, 75u);
  EXPECT_NEAR(N.Spread, 5.0 / 275, 1e-12);
  EXPECT_FALSE(N.Stable);
  EXPECT_EQ(N.Source, "a walk; median of 3 runs");
  const Number *Fma =
      Merged->Device.find(InstClass::FFma, TimingField::LatencyCycles);
  ASSERT_TRUE(Fma);
  EXPECT_TRUE(Fma->Stable);
  EXPECT_EQ(Fma->Spread, 0.001);
  // What is no number is that of the run in the middle.
  EXPECT_EQ(Merged->Device.Record.at("driver"), "of the run with 12");
  EXPECT_EQ(Merged->Device.Record.at("runs"), "3");
  EXPECT_TRUE(lintDevice(Merged->Device).empty());
}

TEST(MergeDevices, TwoRunsMeetInTheMiddle) {
  Expected<MergedDevice> Merged = mergeDevices({run(280, 12), run(282, 12)});
  ASSERT_TRUE(bool(Merged)) << toString(Merged.takeError());
  EXPECT_EQ(Merged->Device.find(Quantity::L2HitLatency)->Value, 281);
  EXPECT_TRUE(Merged->Device.find(Quantity::L2HitLatency)->Stable);
}

TEST(MergeDevices, KeepsANumberThatOneRunHas) {
  DeviceModel Other = run(280, 12);
  Other.Quantities[Quantity::L2Partitions] = measured(2, "count");
  Expected<MergedDevice> Merged = mergeDevices({run(280, 11), Other});
  ASSERT_TRUE(bool(Merged)) << toString(Merged.takeError());
  EXPECT_EQ(Merged->Device.find(Quantity::L2Partitions)->Value, 2);
  EXPECT_EQ(Merged->Device.find(Quantity::L2Partitions)->Source, "a walk");
}

TEST(MergeDevices, RefusesOtherModelsPartsAndLoweredClocks) {
  EXPECT_EQ(errorOf({run(280, 12)}), "merging takes at least two runs, not 1");
  DeviceModel Other = run(280, 12);
  Other.DisplayName = "Another GPU";
  EXPECT_EQ(errorOf({run(280, 12), Other}),
            "runs of different models cannot be merged: 'A GPU' (sm_90) and "
            "'Another GPU' (sm_90)");
  DeviceModel Part = run(280, 12);
  Part.Quantities[Quantity::SmCount].Value = 16;
  EXPECT_EQ(errorOf({run(280, 12), Part}),
            "runs of 'A GPU' have 132 and 16 SMs: one is of a part of a GPU");
  DeviceModel Slow = run(280, 12);
  Slow.Record["power_limit"] = "the power limit is 350 W, 700 W by default";
  EXPECT_EQ(errorOf({run(280, 12), Slow}),
            "a run of 'A GPU' cannot be merged: record.power_limit: the power "
            "limit is 350 W, 700 W by default");
}
