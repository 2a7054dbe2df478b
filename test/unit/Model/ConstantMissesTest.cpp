//===- ConstantMissesTest.cpp - Tables that a constant cache lacks --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/ConstantMisses.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Device/FlatDevice.h"
#include "gtest/gtest.h"
#include <optional>

using namespace gpuocc;

namespace {

/// A constant cache of 2 KiB, and lines of code of 128 bytes each 20 cycles:
/// 64 bytes take 10.
struct Cache {
  std::optional<double> Bytes = 2048, Fetch = 20, CodeLine = 128;

  DeviceModel device() const {
    DeviceModel D;
    D.Name = "made-up";
    D.Architecture = "sm_90";
    auto Set = [&](Quantity Q, std::optional<double> Value) {
      if (Value)
        D.Quantities[Q].Value = *Value;
    };
    Set(Quantity::ConstantL1Bytes, Bytes);
    Set(Quantity::InstructionFetch, Fetch);
    Set(Quantity::InstructionLineBytes, CodeLine);
    return D;
  }
};

ConstantMisses missesOf(double Words, double Distinct, const Cache &Of = {},
                        MemorySpace Space = MemorySpace::Constant) {
  MemoryAccess A;
  A.Space = Space;
  A.BytesPerLane = 4;
  AccessProfile P;
  P.DrawnAddresses = Words;
  P.DistinctAddressesPerRequest = Distinct;
  const DeviceModel D = Of.device();
  return constantMisses(A, P, FlatDevice(D));
}

TEST(ConstantMisses, HalfOfATableTwiceTheCache) {
  // One word lies on one line, and half of the lines are there.
  const ConstantMisses One = missesOf(1024, 1);
  EXPECT_NEAR(One.Lines, 0.5, 0.01);
  EXPECT_DOUBLE_EQ(One.CyclesPerLine, 10);
  EXPECT_NEAR(One.cycles(), 5, 0.1);
}

TEST(ConstantMisses, WordsShareLines) {
  // 32 of 1024 words lie on 25.5 of 64 lines; all of them on all.
  EXPECT_NEAR(missesOf(1024, 32).Lines, 12.8, 0.1);
  EXPECT_DOUBLE_EQ(missesOf(1024, 1024).Lines, 32);
}

TEST(ConstantMisses, LargerTablesMissMore) {
  const double Twice = missesOf(1024, 32).Lines;
  const double EightTimes = missesOf(4096, 32).Lines;
  EXPECT_GT(EightTimes, 1.5 * Twice);
  EXPECT_LT(EightTimes, 32 * 7.0 / 8);
}

TEST(ConstantMisses, NoneWhereTheTableFits) {
  EXPECT_EQ(missesOf(512, 32).cycles(), 0);
  EXPECT_GT(missesOf(513, 32).cycles(), 0);
  EXPECT_EQ(missesOf(64, 25).cycles(), 0);
}

TEST(ConstantMisses, NoneOfOtherMemory) {
  EXPECT_EQ(missesOf(1024, 32, {}, MemorySpace::Global).cycles(), 0);
  EXPECT_EQ(missesOf(1024, 32, {}, MemorySpace::Param).cycles(), 0);
}

TEST(ConstantMisses, NoneWhereAddressesAreNotDrawn) {
  MemoryAccess A;
  A.Space = MemorySpace::Constant;
  A.BytesPerLane = 4;
  AccessProfile P;
  P.DistinctAddressesPerRequest = 32;
  const DeviceModel D = Cache().device();
  EXPECT_EQ(constantMisses(A, P, FlatDevice(D)).cycles(), 0);
}

TEST(ConstantMisses, NoneWhereTheDeviceIsSilent) {
  EXPECT_EQ(missesOf(1024, 32, {std::nullopt, 20, 128}).cycles(), 0);
  EXPECT_EQ(missesOf(1024, 32, {2048, std::nullopt, 128}).cycles(), 0);
  EXPECT_EQ(missesOf(1024, 32, {2048, 20, std::nullopt}).cycles(), 0);
  EXPECT_GT(missesOf(1024, 32, {2048, 20, 128}).cycles(), 0);
}

} // namespace
