//===- FindingsTest.cpp - What follows from tables of a run
//-------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "plans/Bandwidth.h"
#include "plans/Code.h"
#include "plans/MemoryLatency.h"
#include "record/Database.h"
#include <gtest/gtest.h>

using namespace gpuocc::calibration;
using namespace llvm;

using Points = std::vector<std::pair<double, double>>;

/// The first two columns of table \p Table of the recorded run \p Run.
static Points recorded(StringRef Run, StringRef Table) {
  Expected<json::Object> File = readObject(
      (GPUOCC_SOURCE_DIR "/calibration/results/" + Run + "/second-run.json")
          .str());
  Points Found;
  if (!File) {
    ADD_FAILURE() << toString(File.takeError());
    return Found;
  }
  for (const json::Value &Row :
       *File->getObject("tables")->getObject(Table)->getArray("rows"))
    Found.push_back({*(*Row.getAsArray())[0].getAsNumber(),
                     *(*Row.getAsArray())[1].getAsNumber()});
  return Found;
}

static constexpr double MiB = 1 << 20;

TEST(PartitionsOfL2, AreTwoOnBothHoppers) {
  EXPECT_EQ(partitionsOfL2(
                recorded("nvidia-h100/2026-11-23T0639", "latency_by_footprint"),
                50 * MiB),
            2u);
  EXPECT_EQ(partitionsOfL2(
                recorded("nvidia-h200/2026-11-23T0636", "latency_by_footprint"),
                60 * MiB),
            2u);
}

TEST(PartitionsOfL2, IsOneWhereNearlyAllHits) {
  const Points Walks = {{1, 200}, {3, 202}, {5, 210}, {6, 230}, {7, 400}};
  EXPECT_EQ(partitionsOfL2(Walks, 6), 1u);
  // Lines that collide leave before L2 is full.
  EXPECT_EQ(partitionsOfL2(Walks, 8), 1u);
  EXPECT_EQ(partitionsOfL2({}, 6), std::nullopt);
}

TEST(MergedReads, AreThoseOfGroupsOfAHopper) {
  std::optional<MergedReads> Of100 = mergedReads(
      recorded("nvidia-h100/2026-11-23T1628", "l2_read_by_sharers"));
  ASSERT_TRUE(Of100);
  EXPECT_EQ(Of100->Groups, 8);
  EXPECT_NEAR(Of100->BytesPerCycleSm, 59.5, 0.1);
  std::optional<MergedReads> Of200 = mergedReads(
      recorded("nvidia-h200/2026-11-23T1548", "l2_read_by_sharers"));
  ASSERT_TRUE(Of200);
  EXPECT_EQ(Of200->Groups, 8);
  EXPECT_NEAR(Of200->BytesPerCycleSm, 64.4, 0.1);
}

TEST(MergedReads, AreNoneWhereSharingIsNoFaster) {
  EXPECT_FALSE(mergedReads({}));
  EXPECT_FALSE(mergedReads(Points{{1, 30}, {8, 31}, {16, 29}}));
}

TEST(InstructionCache, BeginsToMissWhereControlDoesNotFit) {
  // 32 KiB of four ways: all misses from 40 KiB on, half of them at 36.
  std::optional<InstructionCache> Cache =
      instructionCache(Points{{16384, 1.0},
                              {28672, 1.0},
                              {32768, 1.15},
                              {36864, 1.8},
                              {40960, 2.42},
                              {65536, 2.42},
                              {131072, 2.42}});
  ASSERT_TRUE(Cache);
  EXPECT_EQ(Cache->Bytes, 32768);
  EXPECT_EQ(Cache->Ways, 4);
  EXPECT_EQ(Cache->CyclesBeyond, 2.42);
}

TEST(InstructionCache, EndsBeforeTheNextLevelDoes) {
  // An H200: its next level holds 128 KiB.
  std::optional<InstructionCache> Cache = instructionCache(
      recorded("nvidia-h200/2026-11-27T0240", "loops_of_code"));
  ASSERT_TRUE(Cache);
  EXPECT_EQ(Cache->Bytes, 32768);
  EXPECT_EQ(Cache->Ways, 4);
  EXPECT_NEAR(Cache->CyclesBeyond, 2.41, 0.01);
}

TEST(InstructionCache, IsNotKnownWhereAllFitsOrNothingSettles) {
  EXPECT_FALSE(instructionCache({}));
  EXPECT_FALSE(
      instructionCache(Points{{4096, 1.0}, {8192, 1.0}, {16384, 1.01}}));
  EXPECT_FALSE(
      instructionCache(Points{{4096, 1.0}, {8192, 1.5}, {16384, 2.4}}));
}
