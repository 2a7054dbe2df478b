//===- ManagedTimeTest.cpp - Waiting for managed memory -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/ManagedTime.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gtest/gtest.h"

using namespace gpuocc;

TEST(ManagedTime, IsThatOfTheFirstPageAndOfBytes) {
  const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  EXPECT_EQ(*managedNs(0, 0, Device), 0);
  const double First = *Device.get(Quantity::ManagedTouch);
  EXPECT_NEAR(*managedNs(4096, 0, Device) - First,
              4096 / *Device.get(Quantity::ManagedToDevice), 1e-6);
  EXPECT_NEAR(*managedNs(0, 4096, Device) - First,
              4096 / *Device.get(Quantity::ManagedFresh), 1e-6);
  // 8 MiB took 1.27 to 1.31 ms.
  EXPECT_NEAR(*managedNs(8 << 20, 0, Device), 1.29e6, 1.29e6 * 0.2);
}

TEST(ManagedTime, IsUnknownWhereNothingIsMeasured) {
  EXPECT_FALSE(bool(managedNs(4096, 0, DeviceModel())));
}
