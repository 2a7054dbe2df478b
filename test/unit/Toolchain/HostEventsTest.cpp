//===- HostEventsTest.cpp -------------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/HostEvents.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static Expected<HostEvents> parse(const std::vector<uint64_t> &Words) {
  return parseHostEvents(StringRef(reinterpret_cast<const char *>(Words.data()),
                                   Words.size() * 8));
}

TEST(HostEvents, ReadsKindStreamFlagsAndValue) {
  const uint64_t Copy = uint64_t(HostEventKind::Copy) |
                        uint64_t(HostCounter::ToHostPinned) << 8 | 1 << 16 |
                        uint64_t(3) << 32;
  Expected<HostEvents> Read = parse({1, Copy, 4096});
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  ASSERT_EQ(Read->Kept.size(), 1u);
  const HostEvent &E = Read->Kept[0];
  EXPECT_EQ(E.Kind, HostEventKind::Copy);
  EXPECT_EQ(E.Copy, HostCounter::ToHostPinned);
  EXPECT_TRUE(E.IsSynchronous);
  EXPECT_FALSE(E.IsNonBlocking);
  EXPECT_EQ(E.Stream, 3u);
  EXPECT_EQ(E.Value, 4096u);
  EXPECT_EQ(Read->NumLeftOut, 0u);
}

TEST(HostEvents, CountsWhatHadNoRoom) {
  Expected<HostEvents> Read = parse({5, 0, 7});
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ(Read->Kept.size(), 1u);
  EXPECT_EQ(Read->NumLeftOut, 4u);
  // Room that was not used.
  Read = parse({0, 0, 0});
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_TRUE(Read->Kept.empty());
}

TEST(HostEvents, RefusesWhatTheRecorderDidNotWrite) {
  Expected<HostEvents> Short = parseHostEvents("1234567");
  ASSERT_FALSE(bool(Short));
  EXPECT_EQ(toString(Short.takeError()),
            "the recorder wrote 7 bytes of events");
  Expected<HostEvents> Unknown = parse({1, NumHostEventKinds, 0});
  ASSERT_FALSE(bool(Unknown));
  EXPECT_EQ(toString(Unknown.takeError()),
            "the recorder wrote no event as number 0");
}
