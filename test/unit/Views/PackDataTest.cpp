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

} // namespace

TEST(PackData, KeysOfAlikeObjectsAreThereOnce) {
  EXPECT_EQ(packData(parsed(R"({"tool": "x", "kernels": [{"curve":
              [{"n": 1, "v": 0.123456}, {"n": 2, "v": 12345.67},
               {"n": 3, "v": 0}]}]})")),
            parsed(R"({"tool": "x", "$values": [], "kernels": [{"curve":
              {"$k": ["n", "v"], "$r": [[1, 0.1235], [2, 12350], [3, 0]]}}]})"));
}

TEST(PackData, WhatKernelsShareIsThereOnce) {
  EXPECT_EQ(packData(parsed(R"({"kernels": [
              {"file": "a long name of a file.cu", "line": 1},
              {"file": "a long name of a file.cu", "line": 1}]})")),
            parsed(R"({"$values": ["a long name of a file.cu"], "kernels": [
              {"file": {"$v": 0}, "line": 1}, {"file": {"$v": 0}, "line": 1}]})"));
}

TEST(PackData, DifferentObjectsStay) {
  const char *Data = R"({"kernels": [{"mixed": [{"a": 1}, {"b": 1}, {"a": 2}],
                         "few": [{"a": 1}, {"a": 2}], "none": []}]})";
  json::Value Expected = parsed(Data);
  (*Expected.getAsObject())["$values"] = json::Array();
  EXPECT_EQ(packData(parsed(Data)), Expected);
}
