//===- ThreadBesideTest.cpp -----------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/ThreadBeside.h"
#include "gpuocc/Support/RunInSubprocess.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <atomic>
#include <chrono>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

/// Whether a copy of the process can take \p Mutex; one that waits for it for
/// good is ended.
static bool canLockInCopy(std::mutex &Mutex) {
  Expected<std::string> Answer = runInSubprocess([&](raw_ostream &OS) {
    alarm(20);
    const std::lock_guard<std::mutex> Lock(Mutex);
    OS << "locked";
  });
  if (Answer)
    return *Answer == "locked";
  consumeError(Answer.takeError());
  return false;
}

TEST(ThreadBeside, NoCopyIsMadeWhileItHoldsALock) {
  std::mutex Mutex;
  std::atomic<bool> Holds = false;
  ThreadBeside Beside([&] {
    const std::lock_guard<std::mutex> Lock(Mutex);
    Holds = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  });
  while (!Holds)
    std::this_thread::yield();
  EXPECT_TRUE(canLockInCopy(Mutex));
}

TEST(ThreadBeside, CopiesAreMadeWhileItWaits) {
  std::mutex Mutex;
  std::atomic<bool> Waits = false, IsCopied = false;
  ThreadBeside Beside([&] {
    const WaitBeside Waiting;
    Waits = true;
    while (!IsCopied)
      std::this_thread::yield();
  });
  while (!Waits)
    std::this_thread::yield();
  EXPECT_TRUE(canLockInCopy(Mutex));
  IsCopied = true;
}

TEST(ThreadBeside, ItMakesCopiesItself) {
  std::mutex Mutex;
  bool Locked = false;
  ThreadBeside Beside([&] { Locked = canLockInCopy(Mutex); });
  Beside.join();
  EXPECT_TRUE(Locked);
}

TEST(ThreadBeside, CopiesHaveThreadsBesideThem) {
  Expected<std::string> Answer = runInSubprocess([](raw_ostream &OS) {
    alarm(20);
    std::mutex Mutex;
    ThreadBeside Beside([&] { OS << canLockInCopy(Mutex); });
  });
  ASSERT_TRUE(bool(Answer)) << toString(Answer.takeError());
  EXPECT_EQ(*Answer, "1");
}
