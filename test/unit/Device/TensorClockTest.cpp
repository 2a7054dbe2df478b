//===- TensorClockTest.cpp - A device while its tensor cores work ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/TensorClock.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

DeviceModel deviceWith(std::initializer_list<std::pair<Quantity, double>> Of) {
  DeviceModel D;
  for (const auto &[Q, Value] : Of)
    D.Quantities[Q].Value = Value;
  return D;
}

TEST(TensorClock, MemoryKeepsItsTime) {
  const DeviceModel D =
      atTensorClock(deviceWith({{Quantity::SmClockMhz, 2000},
                                {Quantity::SmClockTensorMhz, 1800},
                                {Quantity::DramLatency, 600},
                                {Quantity::DramReadBytesPerCycle, 18},
                                {Quantity::SharedLatency, 29}}));
  EXPECT_DOUBLE_EQ(*D.get(Quantity::SmClockMhz), 1800);
  EXPECT_DOUBLE_EQ(*D.get(Quantity::DramLatency), 540);
  EXPECT_DOUBLE_EQ(*D.get(Quantity::DramReadBytesPerCycle), 20);
  EXPECT_DOUBLE_EQ(*D.get(Quantity::SharedLatency), 29);
}

TEST(TensorClock, NothingChangesWithoutOne) {
  const DeviceModel D = atTensorClock(
      deviceWith({{Quantity::SmClockMhz, 2000}, {Quantity::DramLatency, 600}}));
  EXPECT_DOUBLE_EQ(*D.get(Quantity::SmClockMhz), 2000);
  EXPECT_DOUBLE_EQ(*D.get(Quantity::DramLatency), 600);
}

} // namespace
