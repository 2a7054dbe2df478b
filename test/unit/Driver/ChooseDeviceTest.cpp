//===- ChooseDeviceTest.cpp - What a build has for a device ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ChooseDevice.h"
#include "gtest/gtest.h"

using namespace gpuocc;

TEST(BuiltArchitecture, HasTheFeaturesOfTheBuild) {
  EXPECT_EQ(builtArchitecture("sm_90", {"sm_90a"}), "sm_90a");
  EXPECT_EQ(builtArchitecture("sm_90", {"sm_80", "sm_90a", "sm_100a"}),
            "sm_90a");
  EXPECT_EQ(builtArchitecture("sm_90", {"sm_90a", "sm_90"}), "sm_90");
}

TEST(BuiltArchitecture, IsTheDevicesWhereTheBuildHasNone) {
  EXPECT_EQ(builtArchitecture("sm_90", {}), "sm_90");
  EXPECT_EQ(builtArchitecture("sm_90", {"sm_80", "sm_100a"}), "sm_90");
  // Too old for compilers of today.
  EXPECT_EQ(builtArchitecture("sm_35", {"sm_90a"}), "sm_50");
}
