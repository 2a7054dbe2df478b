//===- PublishedDevicesTest.cpp - Numbers of the papers -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the databases derive from one table of a paper has to agree with what
/// the paper prints in another.
///
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;

namespace {

constexpr double BytesPerWarpLoad = 128;

/// A row of Volkov 2016, Table 4.1.
struct AlphaMixRow {
  const char *Device;
  double MemoryLatency, MemoryThroughput, AddLatency, AddThroughput;
};

constexpr AlphaMixRow AlphaMixRows[] = {
    {"nvidia-8800-gtx", 444, 0.0268, 20, 0.25},
    {"nvidia-gtx-280", 434, 0.0277, 24, 0.25},
    {"nvidia-gtx-480", 513, 0.0599, 18, 1},
    {"nvidia-gtx-680", 301, 0.1338, 9, 4},
    {"nvidia-gtx-980", 368, 0.0814, 6, 4},
};

} // namespace

TEST(PublishedDevices, VolkovTable41FollowsFromChapter6) {
  for (const AlphaMixRow &Row : AlphaMixRows) {
    SCOPED_TRACE(Row.Device);
    DeviceModel Device = cantFail(loadDevice(Row.Device));
    EXPECT_EQ(*Device.get(Quantity::DramLatency), Row.MemoryLatency);
    EXPECT_NEAR(*Device.get(Quantity::DramReadBytesPerCycle) / BytesPerWarpLoad,
                Row.MemoryThroughput, 0.00005);
    EXPECT_EQ(*Device.get(InstClass::FAdd, TimingField::LatencyCycles),
              Row.AddLatency);
    EXPECT_EQ(*Device.get(InstClass::FAdd, TimingField::ThroughputPerCycleSm),
              Row.AddThroughput);
  }
}

TEST(PublishedDevices, VolkovSection65KeplerContention) {
  DeviceModel Kepler = cantFail(loadDevice("nvidia-gtx-680"));
  const ContentionFit *Fit = Kepler.contention("dram_read");
  ASSERT_TRUE(Fit);
  EXPECT_EQ(Fit->A.Value, 300);
  EXPECT_EQ(Fit->B.Value, 32);
  EXPECT_NEAR(Fit->C.Value / BytesPerWarpLoad, 0.1477, 0.00005);
}

TEST(PublishedDevices, VolkovSection38KeplerBandwidth) {
  DeviceModel Kepler = cantFail(loadDevice("nvidia-gtx-680"));
  EXPECT_NEAR(*Kepler.get(Quantity::DramReadBytesPerCycle), 17.1, 0.05);
  EXPECT_EQ(*Kepler.get(Quantity::BlockReplacement), 201);
}

TEST(PublishedDevices, DependentInstructionDecidesOnMaxwell) {
  DeviceModel Maxwell = cantFail(loadDevice("nvidia-gtx-980"));
  EXPECT_EQ(*Maxwell.latency(InstClass::LdShared, InstClass::LdShared), 24);
  EXPECT_EQ(*Maxwell.latency(InstClass::LdShared, InstClass::FAdd), 22);
  EXPECT_EQ(*Maxwell.latency(InstClass::MufuRsq, InstClass::FAdd), 9);
}

TEST(PublishedDevices, WhatNobodyPublishedIsAbsent) {
  DeviceModel Volta = cantFail(loadDevice("nvidia-tesla-v100"));
  EXPECT_EQ(*Volta.get(InstClass::DFma, TimingField::LatencyCycles), 8);
  DeviceModel Pascal = cantFail(loadDevice("nvidia-tesla-p100"));
  EXPECT_EQ(Pascal.get(Quantity::DramLatency).reason(),
            "device 'nvidia-tesla-p100' has no memory.dram_latency_cycles");
}
