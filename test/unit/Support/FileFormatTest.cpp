//===- FileFormatTest.cpp - Tests of versions of files --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/FileFormat.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

TEST(FileFormat, VersionsInReachAreRead) {
  const FileFormatInfo &Info = fileFormatInfo(FileFormat::DeviceDatabase);
  for (int64_t V = Info.Oldest; V <= int64_t(Info.Current); ++V)
    EXPECT_FALSE(bool(checkVersion(FileFormat::DeviceDatabase, V)));
}

TEST(FileFormat, OthersAreRefusedWithBothVersionsAndWhatHelps) {
  EXPECT_EQ(toString(checkVersion(FileFormat::Configuration, 2)),
            "this configuration has version 2; this gpu-occupancy reads "
            "version 1: take a newer gpu-occupancy");
  EXPECT_EQ(toString(checkVersion(FileFormat::Facts, 1)),
            "this facts file has version 1; this gpu-occupancy reads version "
            "2: write it again with '-mllvm -gpu-occupancy-facts-file=FILE'");
}
