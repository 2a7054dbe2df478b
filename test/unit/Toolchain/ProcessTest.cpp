//===- ProcessTest.cpp - Running other programs ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Process.h"
#include <csignal>
#include <gtest/gtest.h>

using namespace gpuocc;

static ProcessResult shell(llvm::StringRef Script, unsigned LimitSeconds = 0) {
  ProcessOptions Options;
  Options.LimitSeconds = LimitSeconds;
  Options.Environment = {"GPUOCC_TEST=value"};
  llvm::Expected<ProcessResult> Run =
      runProcess("/bin/sh", {"-c", Script}, Options);
  if (Run)
    return *Run;
  ADD_FAILURE() << llvm::toString(Run.takeError());
  return ProcessResult();
}

TEST(RunProcess, VariablesReplaceThoseOfThisProcess) {
  setenv("GPUOCC_TEST", "of this process", /*overwrite=*/1);
  const ProcessResult Run = shell("env | grep -c ^GPUOCC_TEST; "
                                  "echo $GPUOCC_TEST");
  unsetenv("GPUOCC_TEST");
  EXPECT_EQ(Run.Output, "1\nvalue\n");
}

TEST(RunProcess, TakesOutputAndStatus) {
  const ProcessResult Run =
      shell("echo out $GPUOCC_TEST; echo err >&2; exit 3");
  EXPECT_EQ(Run.Status, 3);
  EXPECT_EQ(Run.Output, "out value\n");
  EXPECT_EQ(Run.ErrorOutput, "err\n");
  EXPECT_EQ(howItEnded(Run, 0), "ended with status 3");
}

TEST(RunProcess, HasNoInput) {
  EXPECT_EQ(shell("cat; echo end").Output, "end\n");
}

TEST(RunProcess, SaysWhichSignalEndedIt) {
  const ProcessResult Run = shell("echo before; kill -SEGV $$");
  EXPECT_LT(Run.Status, 0);
  EXPECT_EQ(Run.Signal, SIGSEGV);
  EXPECT_EQ(Run.Output, "before\n");
  EXPECT_EQ(howItEnded(Run, 60), "was ended by signal 11 (Segmentation fault)");
}

TEST(RunProcess, TheLimitEndsAllThatItStarted) {
  const ProcessResult Run = shell("(sleep 60; echo late)& sleep 60", 1);
  EXPECT_TRUE(Run.TimedOut);
  EXPECT_EQ(Run.Signal, 0);
  EXPECT_EQ(Run.Output, "");
  EXPECT_EQ(howItEnded(Run, 1), "was stopped at the limit of 1 second");
}

TEST(RunProcess, WhatIsNoProgramIsAnError) {
  llvm::Expected<ProcessResult> Run = runProcess("/no/such/program", {});
  ASSERT_FALSE(bool(Run));
  EXPECT_EQ(llvm::toString(Run.takeError()),
            "cannot run '/no/such/program': No such file or directory");
}
