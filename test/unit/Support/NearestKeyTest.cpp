//===- NearestKeyTest.cpp -------------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/NearestKey.h"
#include <gtest/gtest.h>

using namespace gpuocc;

TEST(NearestKey, FindsTheWordATypoStandsFor) {
  EXPECT_EQ(nearestKey("sm_cuont", {"l2_bytes", "sm_count", "dram_bytes"}),
            "sm_count");
}

TEST(NearestKey, LetterCaseIsNoDistance) {
  EXPECT_EQ(nearestKey("SM_90", {"sm_91", "sm_90"}), "sm_90");
}

TEST(NearestKey, FirstOfEqualsAndEmptyOfNone) {
  EXPECT_EQ(nearestKey("x", {"a", "b"}), "a");
  EXPECT_EQ(nearestKey("x", {}), "");
}

TEST(NearestKey, OfEqualsTheOneThatGoesOn) {
  EXPECT_EQ(nearestKey("sm_9", {"sm_89", "sm_90"}), "sm_90");
}

TEST(DidYouMean, NearWordsAreTyposAndOthersGetTheList) {
  EXPECT_EQ(didYouMean("devise", {"device", "odds"}),
            "; did you mean 'device'?");
  EXPECT_EQ(didYouMean("j", {"k"}), "; did you mean 'k'?");
  EXPECT_EQ(didYouMean("odds", {"device", "grid", "grid"}),
            "; known: device, grid");
  EXPECT_EQ(didYouMean("odds", {}), "");
}
