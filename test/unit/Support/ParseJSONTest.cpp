//===- ParseJSONTest.cpp - Tests of reading JSON --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/ParseJSON.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static std::string errorOf(StringRef Text) {
  Expected<json::Value> J = parseJSON(Text);
  return J ? "none" : toString(J.takeError());
}

TEST(ParseJSON, DepthHasALimit) {
  auto Nested = [](size_t Levels) {
    return std::string(Levels, '[') + std::string(Levels, ']');
  };
  EXPECT_EQ(errorOf(Nested(2000)), "none");
  EXPECT_EQ(errorOf(Nested(2001)), "JSON is nested deeper than 2000 levels");
  EXPECT_EQ(errorOf(std::string(1000000, '{')),
            "JSON is nested deeper than 2000 levels");
}

TEST(ParseJSON, BracketsInTextsAndSideBySideAreNotDepth) {
  EXPECT_EQ(errorOf("[\"\\\"" + std::string(3000, '[') + "\"]"), "none");
  std::string Wide = "[";
  for (unsigned I = 0; I != 3000; ++I)
    Wide += "[],";
  EXPECT_EQ(errorOf(Wide + "0]"), "none");
}
