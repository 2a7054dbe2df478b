//===- DeviceLintTest.cpp - Plausibility of device databases --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceLint.h"
#include "gpuocc/Support/InstClasses.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace gpuocc;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

Number vendor(double Value, std::string Unit) {
  Number N;
  N.Value = Value;
  N.Unit = std::move(Unit);
  N.Origin = NumberOrigin::Vendor;
  N.Source = "data sheet";
  return N;
}

DeviceModel plausible() {
  DeviceModel Device;
  Device.Name = "test-gpu";
  Device.DisplayName = "Test GPU";
  Device.Architecture = "sm_90";
  Device.Quantities[Quantity::SchedulersPerSm] = vendor(4, "count");
  Device.Quantities[Quantity::L2HitLatency] = vendor(260, "cycle");
  Device.Quantities[Quantity::DramLatency] = vendor(600, "cycle");
  Device.Instructions[InstClass::FFma].ThroughputPerCycleSm =
      vendor(4, "warp_inst/cycle/SM");
  return Device;
}

} // namespace

TEST(DeviceLint, PlausibleDeviceIsClean) {
  EXPECT_THAT(lintDevice(plausible()), IsEmpty());
}

TEST(DeviceLint, MeasuredNumbersSayWhenAndHowOften) {
  DeviceModel Device = plausible();
  Number &N = Device.Quantities[Quantity::DramLatency];
  N.Origin = NumberOrigin::Measured;
  N.Spread = 1.5;
  EXPECT_THAT(
      lintDevice(Device),
      ElementsAre(
          LintProblem{"memory.dram_latency_cycles",
                      "measured on '': expected a date as 2026-11-21"},
          LintProblem{"memory.dram_latency_cycles",
                      "measured, but samples is missing or 0"},
          LintProblem{
              "memory.dram_latency_cycles",
              "spread 1.5 is not a fraction of the value from 0 to 1"}));
}

TEST(DeviceLint, ValuesAreFiniteAndNotNegative) {
  DeviceModel Device = plausible();
  Device.Quantities[Quantity::SmCount] = vendor(-1, "count");
  Device.Instructions[InstClass::FFma].LatencyCycles = vendor(0, "cycle");
  EXPECT_THAT(
      lintDevice(Device),
      ElementsAre(
          LintProblem{"chip.sm_count", "value -1 is negative or not finite"},
          LintProblem{"instructions[\"fp32.fma\"].latency_cycles",
                      "value is 0; a number that is not known is left out"}));
  Device = plausible();
  Device.Quantities[Quantity::SmCount] =
      vendor(std::numeric_limits<double>::infinity(), "count");
  EXPECT_EQ(lintDevice(Device).size(), 1u);
}

TEST(DeviceLint, ThroughputFitsTheSchedulersAndTheCurveThePeak) {
  DeviceModel Device = plausible();
  InstTiming &Fma = Device.Instructions[InstClass::FFma];
  Fma.ThroughputPerCycleSm->Value = 5;
  Fma.Curve = {{1, 4, 1.0}, {4, 64, 5.5}};
  EXPECT_THAT(
      lintDevice(Device),
      ElementsAre(
          LintProblem{"instructions[\"fp32.fma\"].throughput_per_cycle_sm",
                      "5 is above the 4 that the schedulers can issue"},
          LintProblem{"instructions[\"fp32.fma\"].curve[1]",
                      "5.5 is above throughput_per_cycle_sm 5"}));
}

TEST(DeviceLint, MemoryLevelsAreInOrder) {
  DeviceModel Device = plausible();
  Device.Quantities[Quantity::L2HitLatency].Value = 700;
  EXPECT_THAT(
      lintDevice(Device),
      ElementsAre(LintProblem{"memory.l2_hit_latency_cycles",
                              "700 is above memory.dram_latency_cycles 600"}));
}

TEST(DeviceLint, NamesAndArchitecture) {
  DeviceModel Device = plausible();
  Device.Name = "Test GPU";
  Device.DisplayName.clear();
  Device.Quantities[Quantity::DramLatency].Source.clear();
  EXPECT_EQ(lintDevice(Device).size(), 3u);
  Device = plausible();
  Device.Architecture = "sm_9";
  ASSERT_EQ(lintDevice(Device).size(), 1u);
  EXPECT_EQ(lintDevice(Device)[0].Place, "architecture");
}

TEST(DeviceLint, LatenciesFromClassToClassNameClasses) {
  DeviceModel Device = plausible();
  DeviceTable &Table = Device.Tables[CrossClassLatencyTable.str()];
  Table.Columns = {"producer", "fp32.fma", "ld.shared.address",
                   "select.predicate", "fp32.fmaa"};
  Table.Units = {"", "cycle", "cycle", "cycle", "cycle"};
  Table.Rows = {{"int.logic", 5.03, 6, nullptr, nullptr},
                {"int.setp", nullptr, nullptr, 4.03, nullptr}};
  EXPECT_THAT(lintDevice(Device), IsEmpty());
  Table.Rows[0][4] = 5;
  Table.Rows[1][3] = 0;
  EXPECT_THAT(
      lintDevice(Device),
      ElementsAre(
          LintProblem{
              "tables.cross_class_latency.rows[0][4]",
              "'int.logic -> fp32.fmaa' names no classes of instructions"},
          LintProblem{"tables.cross_class_latency.rows[1][3]",
                      "'int.setp -> select.predicate' is no number of cycles "
                      "above 0"}));
}
