//===- OccupancyViewTest.cpp - The occupancy calculator's pages -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/OccupancyView.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;
using ::testing::HasSubstr;

namespace {

const ArchLimits &arch(StringRef Name) { return cantFail(archLimits(Name)); }

BlockResources example() {
  BlockResources Block;
  Block.Threads = 256;
  Block.RegistersPerThread = 41;
  Block.StaticSharedBytes = 4096;
  return Block;
}

std::string text(StringRef Arch, const BlockResources &Block,
                 OccupancyDetail Detail = OccupancyDetail::Summary) {
  std::string Text;
  raw_string_ostream OS(Text);
  writeOccupancyText(arch(Arch), Block, Detail, OS);
  return Text;
}

} // namespace

TEST(OccupancyView, PageOfAnExample) {
  EXPECT_EQ(
      text("sm_90", example()),
      R"(sm_90 (Hopper): 256 threads per block, 41 registers per thread, 4096 bytes of shared memory per block

  5 blocks per SM, 40 of 64 warps, 62.5 % occupancy, limited by registers

  resource   a block takes          an SM has    blocks
  warps      8                      64           8
  blocks     1                      32           32
  registers  12288                  65536        5        <- limit
  shared     5120 (1024 reserved)   233472       45
  barriers   1                      64           64

  smallest shared part of L1 for these blocks: 32768 bytes

Next step:
  registers per thread from 41 to 40: 6 blocks, 48 warps, 75 %
)");
}

TEST(OccupancyView, SaysWhenNothingIsLeftToGain) {
  BlockResources Block = example();
  Block.RegistersPerThread = 32;
  EXPECT_THAT(text("sm_90", Block),
              HasSubstr("Next step: none, occupancy is full"));
}

TEST(OccupancyView, NamesWhatWasNotChecked) {
  EXPECT_THAT(text("sm_13", example()),
              HasSubstr("not checked, no source states it for sm_13: "
                        "max_blocks_per_sm, "));
}

TEST(OccupancyView, TablesShowTheCliffs) {
  std::string Text = text("sm_90", example(), OccupancyDetail::Tables);
  EXPECT_THAT(Text,
              HasSubstr("registers per thread   blocks  warps  occupancy\n"
                        "1 to 32                8       64     100 %\n"
                        "33 to 40               6       48     75 %\n"
                        "41 to 48               5       40     62.5 %\n"));
  EXPECT_THAT(Text,
              HasSubstr("shared bytes per block blocks  warps  occupancy\n"
                        "0 to 45568             5       40     62.5 %\n"
                        "45569 to 57344         4       32     50 %\n"));
  EXPECT_THAT(Text,
              HasSubstr("\n1024                   1       32     50 %\n"));
}

TEST(OccupancyView, JsonHasTheSameNumbers) {
  json::Value Page =
      occupancyToJSON(arch("sm_90"), example(), OccupancyDetail::Tables);
  const json::Object &Top = *Page.getAsObject();
  const json::Object &Answer = *Top.getObject("occupancy");
  EXPECT_EQ(Answer.getInteger("blocks_per_sm"), 5);
  EXPECT_EQ(Answer.getInteger("warps_per_sm"), 40);
  EXPECT_EQ(Answer.getNumber("fraction"), 0.625);
  EXPECT_EQ(Answer.getString("limiter"), "registers");
  EXPECT_EQ(Top.getObject("limits")->getInteger("shared"), 45);
  EXPECT_EQ(*Top.getObject("limits")->get("cluster"), nullptr);
  EXPECT_EQ(Top.getArray("next_steps")->size(), 1u);
  EXPECT_EQ(Top.getArray("over_threads")->size(), 32u);
  EXPECT_FALSE(
      occupancyToJSON(arch("sm_90"), example(), OccupancyDetail::Summary)
          .getAsObject()
          ->get("over_threads"));
}
