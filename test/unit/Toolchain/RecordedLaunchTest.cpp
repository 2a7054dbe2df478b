//===- RecordedLaunchTest.cpp - Launches of a program that was run --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/RecordedLaunch.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

TEST(RecordedLaunch, LinesAreShapesAndBytes) {
  auto Launches = parseRecordedLaunches(
      "_Z1kPfi 4 2 1 128 1 1 64 0000000000100000@4096 e8030000\n"
      "_Z4none 1 1 1 32 1 1 0\n",
      "log");
  ASSERT_TRUE(bool(Launches)) << toString(Launches.takeError());
  ASSERT_EQ(Launches->size(), 2u);
  const RecordedLaunch &L = Launches->front();
  EXPECT_EQ(L.Kernel, "_Z1kPfi");
  EXPECT_EQ(L.Grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(L.Block, (Dim3{128, 1, 1}));
  EXPECT_EQ(L.DynamicSharedBytes, 64u);
  ASSERT_EQ(L.Arguments.size(), 2u);
  EXPECT_EQ(L.Arguments[0].BytesBehind, 4096u);
  EXPECT_EQ(L.Arguments[1].Bytes, (std::vector<uint8_t>{0xe8, 3, 0, 0}));
  EXPECT_EQ(L.Arguments[1].BytesBehind, 0u);
  EXPECT_TRUE((*Launches)[1].Arguments.empty());
}

TEST(RecordedLaunch, TextIsThatOfTheRecorder) {
  const std::string Text =
      "_Z1kPfi 4 2 1 128 1 1 64 0000000000100000@4096,0=a.bin,8=b.bin "
      "e8030000\n"
      "_Z4none 1 1 1 32 1 1 0\n";
  auto Launches = parseRecordedLaunches(Text, "log");
  ASSERT_TRUE(bool(Launches)) << toString(Launches.takeError());
  EXPECT_EQ(textOf(*Launches), Text);
}

TEST(RecordedLaunch, DetailsAndNotes) {
  const std::string Line = "_Z1k 4 1 1 128 1 1 0 cluster=2,1,1 carveout=7 "
                           "cooperative=1 host=0,2 managed=8192,4096 00\n";
  auto Launches = parseRecordedLaunches("! first\n" + Line, "log");
  ASSERT_TRUE(bool(Launches)) << toString(Launches.takeError());
  ASSERT_EQ(Launches->size(), 1u);
  const RecordedLaunch &L = Launches->front();
  EXPECT_EQ(L.Cluster, (Dim3{2, 1, 1}));
  EXPECT_EQ(L.CarveoutPercent, 7u);
  EXPECT_TRUE(L.IsCooperative);
  EXPECT_EQ(L.HostMemory, (std::vector<unsigned>{0, 2}));
  EXPECT_EQ(L.Managed.FromHost, 8192u);
  EXPECT_EQ(L.Managed.Fresh, 4096u);
  EXPECT_EQ(L.Arguments.size(), 1u);
  EXPECT_EQ(textOf(*Launches), Line);
  EXPECT_EQ(recorderNotes("! first\n" + Line + "! last\n"),
            (std::vector<std::string>{"first", "last"}));
}

TEST(RecordedLaunch, WhatIsNoLaunchIsNamedWithItsLine) {
  for (const char *Line :
       {"_Z1k 4 2 1 128 1 1", "_Z1k 4 2 1 128 1 1 many",
        "_Z1k 4 2 1 128 1 1 0 abc", "_Z1k 1 1 1 1 1 1 0 xy",
        "_Z1k 1 1 1 1 1 1 0 00@z", "_Z1k 1 1 1 1 1 1 0 00,x=f",
        "_Z1k 1 1 1 1 1 1 0 00,0=", "_Z1k 1 1 1 1 1 1 0 @",
        "_Z1k 1 1 1 1 1 1 0 @64,0=f", "_Z1k 1 1 1 1 1 1 0 cluster=2,1",
        "_Z1k 1 1 1 1 1 1 0 carveout=x", "_Z1k 1 1 1 1 1 1 0 host=0,x",
        "_Z1k 1 1 1 1 1 1 0 managed=4096", "_Z1k 1 1 1 1 1 1 0 managed=4096",
        "_Z1k 1 1 1 1 1 1 0 other=1"}) {
    auto Launches = parseRecordedLaunches(
        std::string("_Z1k 1 1 1 1 1 1 0\n") + Line + "\n", "log");
    ASSERT_FALSE(bool(Launches)) << Line;
    EXPECT_NE(toString(Launches.takeError()).find("log:2: "),
              std::string::npos);
  }
}

TEST(RecordedLaunch, ArraysAreFiles) {
  auto Launches = parseRecordedLaunches(
      "_Z1k 1 1 1 32 1 1 0 0000000000100000@64,0=/tmp/a.bin 00,8=b,16=c\n",
      "log");
  ASSERT_TRUE(bool(Launches)) << toString(Launches.takeError());
  using Files = std::map<uint64_t, std::string>;
  const RecordedLaunch &L = Launches->front();
  EXPECT_EQ(L.Arguments[0].BytesBehind, 64u);
  EXPECT_EQ(L.Arguments[0].Memory, (Files{{0, "/tmp/a.bin"}}));
  EXPECT_EQ(L.Arguments[1].Memory, (Files{{8, "b"}, {16, "c"}}));
}

TEST(RecordedLaunch, KernelsAsTheRecorderReadsThem) {
  RecordableKernel K;
  K.Name = "_Z1kPfi";
  K.Parameters = {{8, {0}, {0}}, {4, {}, {}}, {24, {0, 16}, {8, 16}}};
  RecordableKernel Wild;
  Wild.Name = "_Z4wild";
  Wild.WritesAnywhere = true;
  EXPECT_EQ(textOf({K, Wild}), "_Z1kPfi 8w0,0 4 24w0w16,8,16\n_Z4wild *\n");
  K.Registers = 40;
  K.StaticSharedBytes = 1024;
  K.LocalBytes = 8;
  K.MaxThreads = 256;
  K.BlocksByWarps = {32, 16};
  EXPECT_EQ(textOf(K), "_Z1kPfi registers=40 shared=1024 local=8 threads=256 "
                       "blocks=32,16 8w0,0 4 24w0w16,8,16\n");
}

} // namespace
