//===- MergeRecordTest.cpp - Recorded launches in a configuration ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/MergeRecord.h"
#include "gpuocc/Config/Config.h"
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral First = "  # one(int)\n  - kernel: one\n"
                                       "    grid: [4, 1, 1]\n",
                               Second = "  - kernel: two\n"
                                        "    grid: [8, 1, 1]\n"
                                        "  - kernel: three\n";

static std::string merged(StringRef Existing, StringRef Entries) {
  Expected<std::string> Text =
      mergeRecorded(Existing, "test.yaml", Entries, "tool", {"Spills"});
  return Text ? *Text : "error: " + toString(Text.takeError());
}

static std::vector<std::string> kernels(StringRef Text) {
  Expected<Config> Read = parseConfig(Text, "test.yaml", {"Spills"});
  std::vector<std::string> Names;
  if (!Read)
    return {toString(Read.takeError())};
  for (const LaunchSpec &Spec : Read->Launches)
    Names.push_back(Spec.Kernel);
  return Names;
}

using Names = std::vector<std::string>;

TEST(MergeRecord, ANewFileIsOnlyTheBlock) {
  const std::string Text = recordedConfig(First, "tool");
  EXPECT_EQ(Text, "launches:\n"
                  "  # >>> recorded launches, by tool: the next record "
                  "replaces them\n"
                  "  # one(int)\n"
                  "  - kernel: one\n"
                  "    grid: [4, 1, 1]\n"
                  "  # <<< recorded launches\n");
  EXPECT_EQ(merged(Text, Second), recordedConfig(Second, "tool"));
}

TEST(MergeRecord, WhatTheUserWroteStaysByteForByte) {
  const StringRef Before = "# mine\ndevice: nvidia-h200   # the big one\n\n"
                           "launches:\n    - kernel: own\n"
                           "      arguments: {n: 3}\n",
                  After = "\n# of findings\nfindings:\n  minimum_gain: 1.5\n";
  const std::string Existing = (Before + After).str();
  const std::string Once = merged(Existing, First);
  EXPECT_TRUE(StringRef(Once).starts_with(Before)) << Once;
  EXPECT_TRUE(StringRef(Once).ends_with(After)) << Once;
  EXPECT_EQ(kernels(Once), (Names{"own", "one"}));
  const std::string Twice = merged(Once, Second);
  EXPECT_TRUE(StringRef(Twice).starts_with(Before)) << Twice;
  EXPECT_TRUE(StringRef(Twice).ends_with(After)) << Twice;
  EXPECT_EQ(kernels(Twice), (Names{"own", "two", "three"}));
  // And back again.
  EXPECT_EQ(merged(Twice, First), Once);
}

TEST(MergeRecord, ForeignIndentationAndEnds) {
  EXPECT_EQ(kernels(merged("launches:\n- kernel: own\n  block: 32", First)),
            (Names{"own", "one"}));
  EXPECT_EQ(
      kernels(merged("device: x\r\nlaunches:\r\n  - kernel: own\r\n", First)),
      (Names{"own", "one"}));
  EXPECT_EQ(kernels(merged("device: x", First)), Names{"one"});
  EXPECT_EQ(kernels(merged("", First)), Names{"one"});
  EXPECT_EQ(kernels(merged("# a comment only\n", First)), Names{"one"});
}

TEST(MergeRecord, LaunchesBehindTheBlockStay) {
  const std::string Text = recordedConfig(First, "tool") + "  - kernel: own\n";
  EXPECT_EQ(kernels(merged(Text, Second)), (Names{"two", "three", "own"}));
}

TEST(MergeRecord, WhatCannotBeMergedIsRefused) {
  EXPECT_EQ(merged("launches: [{kernel: own}]\n", First),
            "error: recorded launches cannot be put among the launches of "
            "'test.yaml', which are not lines that begin with '-'");
  EXPECT_TRUE(StringRef(merged("{device: x}\n", First))
                  .starts_with("error: recorded launches cannot"));
  EXPECT_TRUE(StringRef(merged("device: x\n...\nmore\n", First))
                  .starts_with("error: "));
  EXPECT_EQ(merged("my notes\n", First),
            "error: test.yaml:1:1: error: expected 'key: value' pairs");
  EXPECT_TRUE(StringRef(merged("devise: x\n", First))
                  .starts_with("error: test.yaml:1:1: error: unknown key"));
}
