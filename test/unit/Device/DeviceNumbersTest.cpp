//===- DeviceNumbersTest.cpp - Numbers by place, and what differs ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceNumbers.h"
#include "gpuocc/Support/InstClasses.h"
#include <gtest/gtest.h>

using namespace gpuocc;

namespace {

Number cycles(double Value) {
  Number N;
  N.Value = Value;
  N.Unit = "cycle";
  N.Source = "here";
  return N;
}

DeviceModel device() {
  DeviceModel Device;
  Device.Quantities[Quantity::DramLatency] = cycles(600);
  Device.Instructions[InstClass::FFma].LatencyCycles = cycles(4);
  Device.Dependences[{InstClass::FFma, InstClass::LdGlobal,
                      OperandUse::Address}] = cycles(6);
  Device.PtxInstructions["div.rn.f32"].O3 = cycles(100);
  Device.Contention["dram_read"] = {cycles(1), cycles(2), cycles(3), {}, {}};
  return Device;
}

} // namespace

TEST(DeviceNumbers, EachHasItsPlace) {
  DeviceModel Device = device();
  std::vector<std::string> Places;
  for (const PlacedNumber &P : allNumbers(Device))
    Places.push_back(P.Place);
  EXPECT_EQ(Places, (std::vector<std::string>{
                        "memory.dram_latency_cycles",
                        "instructions[\"fp32.fma\"].latency_cycles",
                        "dependences[\"fp32.fma -> ld.global.address\"]",
                        "contention.dram_read.a", "contention.dram_read.b",
                        "contention.dram_read.c",
                        "ptx_instructions[\"div.rn.f32\"].O3"}));
}

TEST(DeviceNumbers, ADeviceDoesNotDifferFromItself) {
  DeviceModel Device = device();
  EXPECT_TRUE(differences(Device, Device).empty());
}

TEST(DeviceNumbers, DifferencesNameBothSides) {
  DeviceModel First = device(), Second = device();
  Second.Quantities[Quantity::DramLatency].Value = 900;
  Second.Quantities[Quantity::DramLatency].Source = "elsewhere";
  Second.Dependences.clear();
  Second.Quantities[Quantity::SharedLatency] = cycles(30);
  std::vector<NumberDifference> Found = differences(First, Second);
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_EQ(Found[0].Place, "memory.dram_latency_cycles");
  EXPECT_EQ(Found[0].ratio(), 1.5);
  EXPECT_EQ(Found[1].Second, nullptr);
  EXPECT_EQ(Found[1].ratio(), std::nullopt);
  EXPECT_EQ(Found[2].Place, "memory.shared_latency_cycles");
  EXPECT_EQ(Found[2].First, nullptr);
}
