//===- RunInSubprocessTest.cpp --------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/RunInSubprocess.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdlib>

using namespace gpuocc;
using namespace llvm;

TEST(Apart, AnswersReachAcrossAndChangesDoNot) {
  int Counter = 0;
  llvm::Expected<std::string> Answer = runInSubprocess([&](raw_ostream &OS) {
    Counter = 1;
    OS << std::string(200000, 'x');
  });
  ASSERT_TRUE(bool(Answer)) << llvm::toString(Answer.takeError());
  EXPECT_EQ(Answer->size(), 200000u);
  EXPECT_EQ(Counter, 0);
}

/// Why \p Work gives no answer.
static std::string whyNot(function_ref<void(raw_ostream &)> Work) {
  Expected<std::string> Answer = runInSubprocess(Work);
  return Answer ? "it does" : toString(Answer.takeError());
}

TEST(Apart, ACrashIsAnError) {
  EXPECT_EQ(whyNot([](raw_ostream &) { abort(); }),
            "the process of its own was ended by signal 6 (Aborted)");
}

TEST(Apart, AFatalErrorOfLlvmSaysWhy) {
  EXPECT_EQ(whyNot([](raw_ostream &OS) {
              OS << std::string(100000, 'x');
              report_fatal_error("Cannot select: t1\n  t1: t2");
            }),
            "Cannot select: t1");
}

TEST(Apart, HandlersOfTheParentDoNotRun) {
  // A compiler removes its unfinished output where it crashes.
  SmallString<128> Output;
  ASSERT_FALSE(sys::fs::createTemporaryFile("gpuocc", "o", Output));
  ASSERT_FALSE(sys::RemoveFileOnSignal(Output));
  whyNot([](raw_ostream &) { raise(SIGSEGV); });
  whyNot([](raw_ostream &) { report_fatal_error("no"); });
  EXPECT_TRUE(sys::fs::exists(Output));
  sys::fs::remove(Output);
  sys::DontRemoveFileOnSignal(Output);
}
