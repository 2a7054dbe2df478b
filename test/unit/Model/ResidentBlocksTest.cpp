//===- ResidentBlocksTest.cpp ---------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid/ResidentBlocks.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include <gtest/gtest.h>

using namespace gpuocc;

static DeviceModel deviceOf(llvm::StringRef Name) {
  return cantFail(llvm::Expected<DeviceModel>(loadDevice(Name)));
}

TEST(ResidentBlocks, AreThoseThatTheDriverTells) {
  // cudaOccupancyMaxActiveClusters on an H200, by blocks an SM and of a
  // cluster.
  constexpr unsigned NumPerSm = 4, NumSizes = 16;
  constexpr unsigned Clusters[NumPerSm][NumSizes] = {
      {132, 66, 39, 30, 22, 17, 15, 15, 9, 7, 7, 7, 7, 7, 7, 7},
      {264, 132, 79, 62, 47, 39, 32, 30, 23, 21, 16, 16, 14, 14, 14, 14},
      {396, 198, 124, 92, 69, 62, 47, 45, 37, 30, 28, 28, 23, 21, 21, 21},
      {528, 264, 163, 124, 94, 79, 69, 62, 51, 44, 37, 37, 30, 30, 28, 28}};
  const DeviceModel H200 = deviceOf("nvidia-h200");
  Numbers N(H200);
  for (unsigned PerSm = 1; PerSm <= NumPerSm; ++PerSm)
    for (unsigned Size = 1; Size <= NumSizes; ++Size)
      EXPECT_EQ(residentBlocks(Size, PerSm, H200, N),
                Clusters[PerSm - 1][Size - 1] * Size)
          << Size << " blocks, " << PerSm << " an SM";
  EXPECT_TRUE(N.borrowed().empty());
}

TEST(ResidentBlocks, AreTakenFromDevicesWithAsManySms) {
  const DeviceModel H100 = deviceOf("nvidia-h100");
  Numbers N(H100);
  EXPECT_EQ(residentBlocks(4, 1, H100, N), 120);
  EXPECT_TRUE(N.borrowed().empty());
}

TEST(ResidentBlocks, FillAllSmsWhereGroupsAreNotKnown) {
  const DeviceModel Pcie = deviceOf("nvidia-h100-pcie");
  Numbers N(Pcie);
  EXPECT_EQ(residentBlocks(2, 1, Pcie, N), 114);
  EXPECT_TRUE(N.borrowed().empty());
  EXPECT_EQ(residentBlocks(4, 1, Pcie, N), 114);
  EXPECT_FALSE(N.borrowed().empty());
}
