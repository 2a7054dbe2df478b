//===- NvmlTest.cpp - What else happens on the GPU
//-------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Nvml.h"
#include "driver/StandIn.h"
#include <gtest/gtest.h>

using namespace gpuocc::calibration;

namespace {
/// A library whose GPU is as the members say.
struct FakeNvml {
  static inline unsigned Mig, Limit, Processes;
  static inline unsigned long long Reasons;
  static inline int Open;

  static Nvml library() {
    Mig = Processes = 0;
    Limit = 700000;
    Reasons = 0;
    Open = 0;
    Nvml L;
    L.Init = [] { return ++Open, 0; };
    L.Shutdown = [] { return --Open, 0; };
    L.HandleByPciBusId = [](const char *, NvmlDevice *Device) {
      static char Only;
      *Device = reinterpret_cast<NvmlDevice>(&Only);
      return 0;
    };
    L.MigMode = [](NvmlDevice, unsigned *Now, unsigned *Pending) {
      return *Now = *Pending = Mig, 0;
    };
    L.PowerLimit = [](NvmlDevice, unsigned *MilliWatts) {
      return *MilliWatts = Limit, 0;
    };
    L.DefaultPowerLimit = [](NvmlDevice, unsigned *MilliWatts) {
      return *MilliWatts = 700000, 0;
    };
    L.ComputeProcesses = [](NvmlDevice, unsigned *Count, NvmlProcess *) {
      return *Count = Processes, Processes ? 7 : 0;
    };
    L.ThrottleReasons = [](NvmlDevice, unsigned long long *Bits) {
      return *Bits = Reasons, 0;
    };
    return L;
  }
};

std::string keys(const NvmlGpu &G) {
  std::string Text;
  for (const Circumstance &C : G.circumstances())
    Text += C.Key + " ";
  return Text;
}
} // namespace

TEST(NvmlGpu, SaysNothingOfAnOrdinaryGpu) {
  Nvml Library = FakeNvml::library();
  Driver Cuda = standInDriver();
  {
    NvmlGpu G(Cuda, &Library, 0);
    EXPECT_TRUE(G.isKnown());
    EXPECT_EQ(keys(G), "");
    EXPECT_EQ(G.loweredClocks(), "");
    EXPECT_EQ(FakeNvml::Open, 1);
  }
  EXPECT_EQ(FakeNvml::Open, 0);
}

TEST(NvmlGpu, NamesEachCircumstance) {
  Nvml Library = FakeNvml::library();
  Driver Cuda = standInDriver();
  NvmlGpu G(Cuda, &Library, 0);
  FakeNvml::Mig = 1;
  EXPECT_EQ(keys(G), "mig ");
  FakeNvml::Limit = 350000;
  FakeNvml::Processes = 1;
  EXPECT_EQ(keys(G), "mig power_limit other_processes ");
  EXPECT_EQ(G.circumstances()[2].Text.find("1 other process uses"), 0u);
  // A limit above the default is no cap.
  FakeNvml::Limit = 800000;
  EXPECT_EQ(keys(G), "mig other_processes ");
}

TEST(NvmlGpu, NamesReasonsOfLoweredClocksButNotIdling) {
  Nvml Library = FakeNvml::library();
  Driver Cuda = standInDriver();
  NvmlGpu G(Cuda, &Library, 0);
  FakeNvml::Reasons = 0x1 | 0x2;
  EXPECT_EQ(G.loweredClocks(), "");
  FakeNvml::Reasons = 0x4 | 0x20;
  EXPECT_EQ(G.loweredClocks(), "power limit, temperature");
}

TEST(NvmlGpu, TakesALibraryThatLacksFunctionsOrIsNotThere) {
  Nvml Library = FakeNvml::library();
  Library.MigMode = nullptr;
  Library.PowerLimit = nullptr;
  Library.ComputeProcesses = nullptr;
  Library.ThrottleReasons = nullptr;
  Driver Cuda = standInDriver();
  NvmlGpu Old(Cuda, &Library, 0);
  EXPECT_EQ(keys(Old), "");
  EXPECT_EQ(Old.loweredClocks(), "");
  NvmlGpu None(Cuda, nullptr, 0);
  EXPECT_FALSE(None.isKnown());
  EXPECT_EQ(keys(None), "");
  Library.Init = [] { return 999; };
  NvmlGpu Broken(Cuda, &Library, 0);
  EXPECT_FALSE(Broken.isKnown());
}

TEST(NvmlGpu, KnowsASliceByItsName) {
  Driver Cuda = standInDriver();
  Cuda.DeviceGetName = [](char *Name, int Length, CuDevice) {
    std::snprintf(Name, Length, "NVIDIA A100-SXM4-40GB MIG 1g.5gb");
    return 0;
  };
  NvmlGpu G(Cuda, nullptr, 0);
  EXPECT_EQ(keys(G), "mig ");
}
