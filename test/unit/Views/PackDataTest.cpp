//===- PackDataTest.cpp - Data of large pages -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackData.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

json::Value parsed(StringRef Text) {
  Expected<json::Value> V = json::parse(Text);
  if (V)
    return std::move(*V);
  ADD_FAILURE() << toString(V.takeError());
  return nullptr;
}

json::Value packed(StringRef Text) { return parsed(packData(parsed(Text))); }

} // namespace

TEST(PackData, KeysOfAlikeObjectsAreThereOnce) {
  EXPECT_EQ(packed(R"({"tool": "x", "kernels": [{"curve":
              [{"n": 1, "v": 0.123456}, {"n": 2, "v": 12345.67},
               {"n": 3, "v": 0}]}]})"),
            parsed(R"({"tool": "x", "$values": [], "kernels": [{"curve":
              {"$k": ["n", "v"],
               "$c": [[1, 2, 3], [0.1235, 12350, 0]]}}]})"));
}

TEST(PackData, NumbersHaveNoMoreDigitsThanAPageShows) {
  EXPECT_EQ(packData(parsed(R"({"kernels": [{"v": 0.000713}]})")),
            R"({"kernels":[{"v":0.000713}],"$values":[]})");
}

TEST(PackData, WhatStandsInSeveralPlacesIsThereOnce) {
  EXPECT_EQ(packed(R"({"kernels": [
              {"file": "a long name of a file.cu", "line": 1},
              {"places": [["a long name of a file.cu"], 2]}]})"),
            parsed(R"({"$values": ["a long name of a file.cu"], "kernels": [
              {"file": {"$v": 0}, "line": 1},
              {"places": [[{"$v": 0}], 2]}]})"));
}

TEST(PackData, WhatOneSharedValueHoldsIsNotSharedAgain) {
  EXPECT_EQ(packed(R"({"kernels": [{"a": ["a text of some length", 1]},
                                   {"b": ["a text of some length", 1]}]})"),
            parsed(R"({"$values": [["a text of some length", 1]],
                       "kernels": [{"a": {"$v": 0}}, {"b": {"$v": 0}}]})"));
}

TEST(PackData, DifferentObjectsStay) {
  const char *Data = R"({"kernels": [{"mixed": [{"a": 1}, {"b": 1}, {"a": 2}],
                         "few": [{"a": 1}, {"a": 2}], "none": []}]})";
  json::Value Expected = parsed(Data);
  (*Expected.getAsObject())["$values"] = json::Array();
  EXPECT_EQ(packed(Data), Expected);
}
