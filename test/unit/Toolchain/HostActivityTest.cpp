//===- HostActivityTest.cpp - What a program did beside its kernels -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/HostActivity.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

TEST(HostActivity, ReadsCountersAndThenLaunches) {
  std::vector<uint64_t> Words(2 * NumHostCounters);
  Words[2 * unsigned(HostCounter::ToHostPinned)] = 3;
  Words[2 * unsigned(HostCounter::ToHostPinned) + 1] = 4096;
  Words.push_back(7);
  Expected<HostActivity> Read = parseHostActivity(StringRef(
      reinterpret_cast<const char *>(Words.data()), Words.size() * 8));
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ((*Read)[HostCounter::ToHostPinned], (HostActivity::Count{3, 4096}));
  EXPECT_EQ((*Read)[HostCounter::Wait], HostActivity::Count());
  EXPECT_EQ(Read->Launches, std::vector<uint64_t>{7});
  EXPECT_EQ(hostCounterText(HostCounter::ToHostPinned),
            "copies to the host, pinned");
}

TEST(HostActivity, RefusesWhatIsCutShort) {
  Expected<HostActivity> Read = parseHostActivity("1234567");
  ASSERT_FALSE(bool(Read));
  EXPECT_EQ(toString(Read.takeError()),
            "the recorder wrote 7 bytes of counters");
}
