//===- PluralTest.cpp -----------------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Plural.h"
#include <gtest/gtest.h>

using namespace gpuocc;

TEST(Plural, OnlyOneIsSingular) {
  EXPECT_EQ(plural(1, "block"), "block");
  for (double Count : {0.0, 0.5, 1.5, 2.0})
    EXPECT_EQ(plural(Count, "block"), "blocks");
}

TEST(Plural, WhatIsShownDecides) {
  EXPECT_EQ(plural("1", "cycle"), "cycle");
  EXPECT_EQ(plural("1.01", "cycle"), "cycles");
}

TEST(Plural, WordsThatHiss) {
  EXPECT_EQ(plural(2, "branch"), "branches");
  EXPECT_EQ(plural(1, "branch"), "branch");
  EXPECT_EQ(plural(2, "bus"), "buses");
}
