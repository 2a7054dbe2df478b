//===- JSONMembersTest.cpp ------------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/JSONMembers.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static std::string kept(StringRef Object) {
  return keepMembers(Object,
                     [](StringRef Key) { return Key == "a" || Key == "c"; });
}

TEST(JSONMembers, OthersArePassedOver) {
  EXPECT_EQ(kept(R"({"a": 1, "b": {"a": [2, "]}"]}, "c": "x\"y"})"),
            R"({"a": 1,"c": "x\"y"})");
  EXPECT_EQ(kept("{ \"b\" :\n[{}] , \"c\" : null }"), "{\"c\" : null}");
  EXPECT_EQ(kept(R"({"b":true})"), "{}");
}

TEST(JSONMembers, WhatIsNoObjectStaysAsItIs) {
  for (StringRef Text :
       {"", "[1]", "7", "{", R"({"a": )", R"({"a": 1)", R"({"a" 1})",
        R"({"b": [1, "c": 2})", R"({"b": "})", R"({"a": 1} x)", "{}", "{,}"})
    EXPECT_EQ(kept(Text), Text);
}

TEST(JSONMembers, StringsEndAtTheirQuote) {
  EXPECT_EQ(endOfJSONString(R"(x"a\\"b")", 1), 5u);
  EXPECT_EQ(endOfJSONString(R"("a\"b)", 0), StringRef::npos);
  EXPECT_EQ(endOfJSONString("\"a\\", 0), StringRef::npos);
}
