//===- RatesTest.cpp - Achieved rates and their peaks ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Rates.h"
#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

void set(DeviceModel &Device, Quantity Q, double Value) {
  Device.Quantities[Q].Value = Value;
}

/// The Maxwell GPU of Volkov 2016, section 3.2.
DeviceModel maxwell(double GigabytesPerSecond) {
  DeviceModel Device;
  set(Device, Quantity::SmCount, 16);
  set(Device, Quantity::SmClockMhz, 1266);
  set(Device, Quantity::SchedulersPerSm, 4);
  set(Device, Quantity::DramLatency, 368);
  set(Device, Quantity::DramReadBytesPerCycle, GigabytesPerSecond / 1.266 / 16);
  return Device;
}

/// A loop of coalesced 4-byte loads that all miss.
OneBlockLoop streaming(double Iterations) {
  OneBlockLoop Code(Iterations);
  AccessProfile &P =
      Code.addLoad(InstClass::LdGlobal, MemorySpace::Global, Operand(), 4);
  P.SectorsPerRequest = P.IdealSectorsPerRequest = 4;
  P.LinesPerRequest = 1;
  return Code;
}

Rates ratesOf(const OneBlockLoop &Code, const Launch &L, const Prediction &P,
              const DeviceModel &Device) {
  return achievedRates(Code.Facts, Code.Profile,
                       warpWork(Code.Facts, Code.Profile, Device), L, P,
                       Device);
}

TEST(Rates, MaxwellNeedsThirtyLoads) {
  // Section 3.2: 211 GB/s and 368 cycles need 30 loads of 128 bytes per SM.
  Prediction P;
  P.ActiveWarpsPerSm = 64;
  P.Latency.CyclesPerWarp = 4 * 368;
  const Rates R = ratesOf(streaming(2), Launch(), P, maxwell(211));
  ASSERT_EQ(R.InFlight.size(), 1u);
  EXPECT_EQ(R.InFlight[0].Level, Resource::Dram);
  EXPECT_NEAR(*R.InFlight[0].NeededLoadsPerSm, 30, 0.1);
  // Half of the life of each of the 64 warps is one such load.
  EXPECT_NEAR(R.InFlight[0].LoadsPerSm, 32, 1e-9);
  EXPECT_NEAR(R.InFlight[0].BytesPerSm, 32 * 128, 1e-6);
}

TEST(Rates, OfAWholeLaunchAreWorkOverTime) {
  Launch L;
  L.Block = {{256, 1, 1}, "test"};
  L.Grid = Sourced<Dim3>{{1000, 1, 1}, "test"};
  Prediction P;
  P.Time = TimeEstimate{.Ns = 10e3};
  const Rates R = ratesOf(streaming(10), L, P, maxwell(211));
  EXPECT_TRUE(R.OfWholeLaunch);
  // 8000 warps x 10 lines of 128 bytes in 10 us.
  EXPECT_NEAR(R.DramGBs.Value, 1024, 1e-9);
  EXPECT_NEAR(*R.DramGBs.Peak, 211, 1e-9);
  EXPECT_NEAR(*R.DramGBs.fraction(), 1024.0 / 211, 1e-9);
  EXPECT_NEAR(R.Gips.Value, 8, 1e-9);
  EXPECT_NEAR(*R.Gips.Peak, 16 * 1.266 * 4, 1e-9);
  EXPECT_NEAR(R.Ipc.Value, 8 / (16 * 1.266), 1e-9);
  EXPECT_FALSE(bool(R.L1GBs.Peak));
  EXPECT_TRUE(R.Flops.empty());
}

TEST(Rates, AUnitIsAsBusyAsTheDiagnosisSays) {
  Prediction P;
  P.WarpsPerCycle = 0.5;
  P.Busy[size_t(Resource::Dram)] = 0.3;
  const Rates R = ratesOf(streaming(1), Launch(), P, maxwell(211));
  EXPECT_DOUBLE_EQ(*R.DramGBs.share(), 0.3);
  EXPECT_GT(*R.DramGBs.fraction(), 0.3);
  // Issue is not busy here, and no peak of L1 is known.
  EXPECT_DOUBLE_EQ(*R.Ipc.share(), *R.Ipc.fraction());
  EXPECT_FALSE(bool(R.L1GBs.share()));
}

TEST(Rates, WithoutALaunchAreThoseOfFullSms) {
  Prediction P;
  P.WarpsPerCycle = 0.5;
  const Rates R = ratesOf(streaming(1), Launch(), P, maxwell(211));
  EXPECT_FALSE(R.OfWholeLaunch);
  EXPECT_NEAR(R.Ipc.Value, 0.5, 1e-9);
}

TEST(Rates, APeakIsThatOfTheMix) {
  DeviceModel Device = maxwell(211);
  set(Device, Quantity::DramReadBytesPerCycle, 16);
  set(Device, Quantity::DramWriteBytesPerCycle, 8);
  set(Device, Quantity::DramCopyBytesPerCycle, 12);
  EXPECT_DOUBLE_EQ(*dramPeak(100, 0, Device), 16);
  EXPECT_DOUBLE_EQ(*dramPeak(0, 100, Device), 8);
  EXPECT_DOUBLE_EQ(*dramPeak(100, 100, Device), 12);
  // Half as much written as read: two thirds at the rate of a copy.
  EXPECT_DOUBLE_EQ(*dramPeak(200, 100, Device),
                   300 / (200.0 / 12 + 100.0 / 16));
  set(Device, Quantity::L2ReadBytesPerCycle, 32);
  EXPECT_DOUBLE_EQ(*l2Peak(100, 100, Device), 32);
}

TEST(Rates, TriadOfTheH200IsWhatWasMeasured) {
  DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  EXPECT_NEAR(*dramPeak(200, 100, Device),
              *Device.get(Quantity::DramTriadBytesPerCycle), 0.3);
}

} // namespace
