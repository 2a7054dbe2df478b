//===- GeometryTest.cpp - What lane evaluation needs of a device ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

DeviceModel h200With(Quantity Q, double Value) {
  DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  Device.Quantities[Q].Value = Value;
  return Device;
}

TEST(Geometry, TakesNumbersOfTheDatabase) {
  auto Of = [](Quantity Q, double Value) {
    return geometryOf(h200With(Q, Value), 2);
  };
  EXPECT_EQ(Of(Quantity::DramFetchBytes, 128).DramFetchBytes, 128u);
  EXPECT_EQ(Of(Quantity::L1SectorBytes, 64).SectorBytes, 64u);
  EXPECT_EQ(Of(Quantity::L1LineBytes, 256).LineBytes, 256u);
  EXPECT_EQ(Of(Quantity::L2Partitions, 1).L2Partitions, 1u);
  EXPECT_EQ(Of(Quantity::L1TagBankLowMask, 5).TagBankMasks[0], 5u);
  EXPECT_EQ(Of(Quantity::SmCount, 7).ResidentBlocksPerSm, 2u);
}

TEST(Geometry, RoundsMeasuredCounts) {
  EXPECT_EQ(geometryOf(h200With(Quantity::L1TagLinesPerCycle, 1.998), 1)
                .TagLinesPerCycle,
            2u);
}

TEST(Geometry, TakesBanksOfTheArchitecture) {
  const DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  const MemoryGeometry G = geometryOf(Device, 1);
  EXPECT_EQ(G.SharedBanks, *cantFail(archLimits("sm_90")).SharedBanks);
  EXPECT_EQ(G.SharedBankBytes, *cantFail(archLimits("sm_90")).SharedBankBytes);
  EXPECT_EQ(G.sharedPassBytes(), 128u);
}

KernelFacts loadFrom(MemorySpace Space) {
  KernelFacts Facts;
  Facts.Accesses.resize(1);
  Facts.Accesses[0].Space = Space;
  return Facts;
}

TEST(Geometry, NamesWhatAccessesAreFoldedWith) {
  const DeviceModel Oldest = cantFail(loadDevice("nvidia-gtx-280"));
  EXPECT_THAT(borrowedForGeometry(Oldest, loadFrom(MemorySpace::Shared)),
              testing::ElementsAre("shared_banks (sm_20)",
                                   "shared_bank_bytes (sm_20)"));
  EXPECT_THAT(borrowedForGeometry(Oldest, loadFrom(MemorySpace::Global)),
              testing::IsSupersetOf(
                  {"dram_fetch_bytes (sm_90)", "shared_banks (sm_20)"}));
  EXPECT_THAT(borrowedForGeometry(Oldest, KernelFacts()), testing::IsEmpty());
  EXPECT_THAT(borrowedForGeometry(cantFail(loadDevice("nvidia-h200")),
                                  loadFrom(MemorySpace::Global)),
              testing::IsEmpty());
}

} // namespace
