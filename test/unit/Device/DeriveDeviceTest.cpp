//===- DeriveDeviceTest.cpp - Devices from a measured relative ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeriveDevice.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DerivationCheck.h"
#include "gpuocc/Device/DeviceNumbers.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;
using ::testing::HasSubstr;

namespace {

Number number(double Value, StringRef Unit) {
  Number N;
  N.Value = Value;
  N.Unit = Unit.str();
  N.Origin = NumberOrigin::Measured;
  N.Source = "test";
  N.Date = "2026-11-22";
  N.Samples = 9;
  return N;
}

void set(DeviceModel &Device, Quantity Q, double Value) {
  Device.Quantities[Q] = number(Value, quantityInfo(Q).Unit);
}

/// 100 SMs at 1000 MHz and 1000 GB/s: 10 bytes per cycle and SM.
DeviceModel relative() {
  DeviceModel D;
  D.Name = "relative";
  D.Architecture = "sm_90";
  set(D, Quantity::SmCount, 100);
  set(D, Quantity::SchedulersPerSm, 4);
  set(D, Quantity::SmClockMhz, 1000);
  set(D, Quantity::MemoryBandwidthPeak, 1000);
  set(D, Quantity::L2Bytes, 1 << 20);
  set(D, Quantity::L2Partitions, 1);
  set(D, Quantity::DramBytes, 1 << 30);
  set(D, Quantity::L1SharedBytesPerSm, 1 << 18);
  set(D, Quantity::L1Bytes, 1 << 17);
  set(D, Quantity::SharedLatency, 23);
  set(D, Quantity::DramLatency, 600);
  set(D, Quantity::DramSectorIncrement, 660);
  set(D, Quantity::DramReadBytesPerCycle, 9);
  set(D, Quantity::DramCopyBytesPerCycle, 8);
  set(D, Quantity::LaunchOverhead, 1500);
  InstTiming &Double = D.Instructions[InstClass::DFma];
  Double.LatencyCycles = number(8, "cycle");
  Double.IssueCycles = number(2, "cycle");
  Double.ThroughputPerCycleSm = number(2, "warp_inst/cycle/SM");
  D.Instructions[InstClass::IAdd3].LatencyCycles = number(4, "cycle");
  D.Instructions[InstClass::WgmmaN256].LatencyCycles = number(128, "cycle");
  D.Dependences[{InstClass::DFma, InstClass::IAdd3, OperandUse::Value}] =
      number(9, "cycle");
  return D;
}

/// Twice the clock, half the SMs, twice the bandwidth.
DeviceModel sheet(StringRef Arch) {
  DeviceModel D = dataSheetOf(relative());
  D.Name = "new";
  D.Architecture = Arch.str();
  set(D, Quantity::SmCount, 50);
  set(D, Quantity::SmClockMhz, 2000);
  set(D, Quantity::MemoryBandwidthPeak, 2000);
  set(D, Quantity::L1SharedBytesPerSm, 1 << 17);
  return D;
}

DeviceModel derive(DeviceModel Own) {
  Expected<DeviceModel> D = deriveDevice(std::move(Own), relative());
  EXPECT_TRUE(bool(D)) << toString(D.takeError());
  return *D;
}

} // namespace

TEST(DeriveDevice, EachRuleOnceWithNumbersForTheHead) {
  DeviceModel D = derive(sheet("sm_89"));
  EXPECT_EQ(D.Relative, "relative");
  // Within the SM cycles are kept.
  EXPECT_EQ(*D.get(Quantity::SharedLatency), 23);
  // Beyond it time is: twice the clock, twice the cycles.
  EXPECT_EQ(*D.get(Quantity::DramLatency), 1200);
  EXPECT_EQ(*D.get(Quantity::LaunchOverhead), 1500);
  // 2000 GB/s over 50 SMs at 2 GHz are 20 bytes per cycle, twice as many.
  EXPECT_EQ(*D.get(Quantity::DramReadBytesPerCycle), 18);
  EXPECT_EQ(*D.get(Quantity::DramCopyBytesPerCycle), 16);
  EXPECT_EQ(*D.get(Quantity::L1Bytes), 1 << 16);
  EXPECT_EQ(*D.get(Quantity::MaxSharedBytesPerSm), 102400);
}

TEST(DeriveDevice, EachNumberSaysThatItIsDerivedAndHow) {
  DeviceModel D = derive(sheet("sm_89"));
  const Number *N = D.find(Quantity::DramLatency);
  EXPECT_EQ(N->Origin, NumberOrigin::Derived);
  EXPECT_EQ(N->Source, "relative, in proportion to the latency of DRAM");
  EXPECT_EQ(N->Samples, 0u);
  EXPECT_TRUE(N->Date.empty());
}

TEST(DeriveDevice, WhatTheFileStatesStaysAndLeadsTheOthers) {
  DeviceModel Own = sheet("sm_89");
  set(Own, Quantity::DramLatency, 900);
  DeviceModel D = derive(std::move(Own));
  EXPECT_EQ(*D.get(Quantity::DramLatency), 900);
  EXPECT_EQ(D.find(Quantity::DramLatency)->Origin, NumberOrigin::Measured);
  EXPECT_EQ(*D.get(Quantity::DramSectorIncrement), 990);
}

TEST(DeriveDevice, UnitsDecideThroughput) {
  // Of 64 FP64 units of an SM of Hopper Ada has 2.
  DeviceModel D = derive(sheet("sm_89"));
  const InstTiming &Double = D.Instructions.at(InstClass::DFma);
  EXPECT_EQ(Double.ThroughputPerCycleSm->Value, 2.0 * 2 / 64);
  EXPECT_EQ(Double.IssueCycles->Value, 64);
  // A result cannot come before the pipe has taken all lanes.
  EXPECT_EQ(Double.LatencyCycles->Value, 64);
  EXPECT_EQ(D.Instructions.at(InstClass::IAdd3).LatencyCycles->Value, 4);
  // What uses it waits as much longer.
  EXPECT_EQ(*D.latency(InstClass::DFma, InstClass::IAdd3), 9 + 56);
}

TEST(DeriveDevice, ClassesThatTheArchitectureLacksAreAbsent) {
  EXPECT_FALSE(derive(sheet("sm_89")).timing(InstClass::WgmmaN256));
  EXPECT_TRUE(derive(sheet("sm_90")).timing(InstClass::WgmmaN256));
}

TEST(DeriveDevice, OfItselfIsItself) {
  DeviceModel Known = relative();
  Expected<std::vector<DerivedNumber>> Numbers =
      checkDerivation(Known, relative());
  ASSERT_TRUE(bool(Numbers)) << toString(Numbers.takeError());
  EXPECT_EQ(Numbers->size(),
            allNumbers(Known).size() - numbersOfDataSheet().size());
  DerivationSpread S = spreadOf(*Numbers);
  EXPECT_EQ(S.Typical, 1);
  EXPECT_EQ(S.Worst, 1);
}

TEST(DeriveDevice, TheMeasuredOneOfItselfIsItself) {
  DeviceModel H200 = cantFail(loadDevice("nvidia-h200"));
  Expected<std::vector<DerivedNumber>> Numbers = checkDerivation(H200, H200);
  ASSERT_TRUE(bool(Numbers)) << toString(Numbers.takeError());
  EXPECT_GT(Numbers->size(), 450u);
  EXPECT_EQ(spreadOf(*Numbers).Worst, 1);
}

TEST(DeriveDevice, SpreadOfKnownRatios) {
  std::vector<DerivedNumber> Numbers;
  for (double Ratio : {1.0, 2.0, 0.5, 1.0, 4.0}) {
    DerivedNumber &N = Numbers.emplace_back();
    N.Known = number(1, "cycle");
    N.Derived = number(Ratio, "cycle");
  }
  DerivationSpread S = spreadOf(Numbers);
  EXPECT_NEAR(S.Typical, std::exp2(4.0 / 5), 1e-12);
  EXPECT_NEAR(S.P80, 2, 1e-12);
  EXPECT_NEAR(S.Worst, 4, 1e-12);
  EXPECT_EQ(spreadOf({}).Worst, 1);
}

TEST(DeriveDevice, ADataSheetThatLacksANumberIsRefused) {
  DeviceModel Own = sheet("sm_89");
  Own.Quantities.erase(Quantity::SmClockMhz);
  Expected<DeviceModel> D = deriveDevice(std::move(Own), relative());
  ASSERT_FALSE(bool(D));
  EXPECT_EQ(toString(D.takeError()),
            "device 'new' cannot be derived: it needs a sm_clock_mhz above 0");
}

TEST(DeriveDevice, PartsOfL2AreThoseOfTheArchitectureOrOne) {
  // What a calibrated file lacks is no reason to refuse it.
  DeviceModel Parted = relative();
  set(Parted, Quantity::L2Partitions, 2);
  for (StringRef Arch : {"sm_90", "sm_89"}) {
    DeviceModel Own = sheet(Arch);
    Own.Quantities.erase(Quantity::L2Partitions);
    Expected<DeviceModel> D = deriveDevice(std::move(Own), Parted);
    ASSERT_TRUE(bool(D)) << toString(D.takeError());
    const Number *N = D->find(Quantity::L2Partitions);
    EXPECT_EQ(N->Value, Arch == "sm_90" ? 2 : 1);
    EXPECT_EQ(N->Origin,
              Arch == "sm_90" ? NumberOrigin::Derived : NumberOrigin::Assumed);
  }
}

TEST(DeriveDevice, ACalibratedFileNeedsNoMoreThanTheDriverStates) {
  // No memory clock and no size of L1, but DRAM reads and shared memory.
  DeviceModel Parted = relative();
  set(Parted, Quantity::MaxSharedBytesPerSm, 1000);
  DeviceModel Own = sheet("sm_89");
  Own.Quantities.erase(Quantity::MemoryBandwidthPeak);
  Own.Quantities.erase(Quantity::L1SharedBytesPerSm);
  set(Own, Quantity::MaxSharedBytesPerSm, 1000);
  set(Own, Quantity::DramReadBytesPerCycle, 18);
  Expected<DeviceModel> D = deriveDevice(Own, Parted);
  ASSERT_TRUE(bool(D)) << toString(D.takeError());
  // 18 bytes a cycle of 50 SMs at 2 GHz where 9 of 100 at 1 GHz are 1000 GB/s.
  EXPECT_EQ(*D->get(Quantity::MemoryBandwidthPeak), 2000);
  EXPECT_EQ(*D->get(Quantity::L1SharedBytesPerSm), 1 << 18);
  // Another size of shared memory says nothing of L1.
  set(Own, Quantity::MaxSharedBytesPerSm, 999);
  D = deriveDevice(Own, Parted);
  ASSERT_FALSE(bool(D));
  EXPECT_EQ(toString(D.takeError()),
            "device 'new' cannot be derived: it needs a "
            "l1_shared_bytes_per_sm above 0");
}

TEST(DeriveDevice, AMeasuredDeviceOfUnitsThatNobodyKnowsKeepsItsClasses) {
  DeviceModel Own = sheet("sm_62");
  Own.Instructions[InstClass::IAdd3].LatencyCycles = number(6, "cycle");
  DeviceModel D = derive(std::move(Own));
  EXPECT_EQ(*D.get(Quantity::SharedLatency), 23);
  EXPECT_EQ(D.Instructions.size(), 1u);
  EXPECT_TRUE(D.Dependences.empty());
}

TEST(DeriveDevice, UnitsThatNobodyKnowsAreRefused) {
  Expected<DeviceModel> D = deriveDevice(sheet("sm_62"), relative());
  ASSERT_FALSE(bool(D));
  EXPECT_THAT(toString(D.takeError()),
              HasSubstr("the units of an SM of sm_62 are not known"));
}

TEST(DeriveDevice, EveryQuantityHasARule) {
  auto Buffer = MemoryBuffer::getFile(GPUOCC_SOURCE_DIR
                                      "/lib/Device/DerivationRules.def");
  ASSERT_TRUE(bool(Buffer));
  StringRef Text = (*Buffer)->getBuffer();
  EXPECT_EQ(Text.count("\nQUANTITY_RULE("), NumQuantities)
      << "a quantity of Quantity.def lacks its rule";
}

namespace {
/// What makers print: TFLOP/s of single precision.
struct PeakRow {
  const char *Device;
  double Tflops;
};
constexpr PeakRow Peaks[] = {{"nvidia-a100-80gb", 19.5},
                             {"nvidia-a30", 10.3},
                             {"nvidia-a40", 37.4},
                             {"nvidia-a10", 31.2},
                             {"nvidia-rtx-a6000", 38.7},
                             {"nvidia-rtx-a5000", 27.8},
                             {"nvidia-rtx-a4000", 19.2},
                             {"nvidia-rtx-3090", 35.6},
                             {"nvidia-rtx-3080", 29.8},
                             {"nvidia-rtx-3070", 20.3},
                             {"nvidia-rtx-3060", 12.7},
                             {"nvidia-l4", 30.3},
                             {"nvidia-l40", 90.5},
                             {"nvidia-l40s", 91.6},
                             {"nvidia-rtx-6000-ada", 91.1},
                             {"nvidia-rtx-4090", 82.6},
                             {"nvidia-rtx-4080", 48.7},
                             {"nvidia-rtx-4070", 29.1},
                             {"nvidia-rtx-4060", 15.1},
                             {"nvidia-rtx-5090", 104.8},
                             {"nvidia-rtx-5080", 56.3},
                             {"nvidia-rtx-5070-ti", 43.9},
                             {"nvidia-rtx-5070", 30.9},
                             {"nvidia-gtx-1080", 8.873},
                             {"nvidia-t4", 8.1},
                             {"nvidia-rtx-2080-ti", 13.45},
                             {"nvidia-rtx-2080-super", 11.15},
                             {"nvidia-rtx-2080", 10.1},
                             {"nvidia-rtx-2060", 6.45},
                             {"nvidia-h100", 67},
                             {"nvidia-h100-pcie", 51.2},
                             {"nvidia-h100-nvl", 60},
                             {"nvidia-h200-nvl", 60},
                             {"nvidia-jetson-agx-orin", 5.3}};
} // namespace

TEST(DeriveDevice, SmsClocksAndUnitsGiveThePeaksThatMakersPrint) {
  for (const PeakRow &Row : Peaks) {
    DeviceModel D = cantFail(loadDeviceFile(Row.Device));
    const ArchLimits &Arch = cantFail(archLimits(D.Architecture));
    double Tflops = *D.get(Quantity::SmCount) * *D.get(Quantity::SmClockMhz) *
                    Arch.Units.at("fp32") * 2 * 1e-6;
    EXPECT_NEAR(Tflops, Row.Tflops, 0.01 * Row.Tflops) << Row.Device;
  }
}

TEST(DeriveDevice, AMeasuredH100IsNearToWhatAnH200Gives) {
  DeviceModel Relative = cantFail(loadDevice("nvidia-h200"));
  DeviceModel Known = cantFail(loadDeviceFile("nvidia-h100"));
  std::vector<DerivedNumber> All = cantFail(checkDerivation(Known, Relative));
  EXPECT_GT(All.size(), 400u);
  DerivationSpread Spread = spreadOf(All);
  EXPECT_LT(Spread.Typical, 1.02);
  EXPECT_LT(Spread.P80, 1.01);
}

TEST(DeriveDevice, WhatWasMeasuredIsNotCalledDerived) {
  DeviceModel Measured = cantFail(loadDevice("nvidia-h100"));
  EXPECT_EQ(Measured.Relative, "nvidia-h200");
  EXPECT_FALSE(isDerived(Measured));
  EXPECT_EQ(deviceBasis(Measured), "measured");
  EXPECT_EQ(Measured.find(Quantity::SpecialQueueEntries)->Origin,
            NumberOrigin::Derived);
  EXPECT_TRUE(isDerived(cantFail(loadDevice("nvidia-h20"))));
}
