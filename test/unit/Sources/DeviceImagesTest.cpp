//===- DeviceImagesTest.cpp -----------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sources/DeviceImages.h"
#include "gtest/gtest.h"

using namespace gpuocc;

TEST(DeviceImages, MachineCodeRunsWithinItsMajorVersion) {
  EXPECT_TRUE(loadsMachineCode("sm_90", "sm_90"));
  EXPECT_TRUE(loadsMachineCode("sm_89", "sm_80"));
  EXPECT_FALSE(loadsMachineCode("sm_80", "sm_86"));
  EXPECT_FALSE(loadsMachineCode("sm_90", "sm_80"));
  EXPECT_FALSE(loadsMachineCode("sm_120", "sm_100"));
}

TEST(DeviceImages, PtxRunsOnWhatIsNotOlder) {
  EXPECT_TRUE(loadsPtx("sm_90", "sm_80"));
  EXPECT_FALSE(loadsPtx("sm_80", "sm_90"));
  EXPECT_TRUE(loadsPtx("sm_90", "sm_90a"));
  EXPECT_FALSE(loadsPtx("sm_100", "sm_90a"));
  EXPECT_TRUE(loadsPtx("sm_103", "sm_100f"));
  EXPECT_FALSE(loadsPtx("sm_120", "sm_100f"));
}
