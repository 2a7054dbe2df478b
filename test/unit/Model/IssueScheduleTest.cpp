//===- IssueScheduleTest.cpp - Listings of Volkov 2016, chapter 3 ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/IssueSchedule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using testing::ElementsAre;

TEST(IssueSchedule, DependentSequenceOfListing31) {
  // LD, LDS, FADD, MUFU, ST on Kepler, each using the one before.
  EXPECT_THAT(
      issueCycles(
          {{3, 301, {}}, {3, 24, {0}}, {3, 9, {1}}, {3, 9, {2}}, {3, 0, {3}}}),
      ElementsAre(0, 301, 325, 334, 343));
}

TEST(IssueSchedule, IndependentAddsOfListing32IssueEverySixCycles) {
  std::vector<TimedInstruction> Adds(7, TimedInstruction{6, 18, {}});
  EXPECT_THAT(issueCycles(Adds), ElementsAre(0, 6, 12, 18, 24, 30, 36));
}

TEST(IssueSchedule, IndependentStoresOfListing32IssueEvery34Cycles) {
  std::vector<TimedInstruction> Stores(4, TimedInstruction{34, 0, {}});
  EXPECT_THAT(issueCycles(Stores), ElementsAre(0, 34, 68, 102));
}

TEST(IssueSchedule, BarrierOfListing33ReleasesAfterTheLatestWarp) {
  // Warp 1 loads before the barrier, warp 2 branches around the load.
  std::vector<double> Warp1 =
      issueCycles({{28, 0, {}}, {6, 512, {}}, {6, 18, {1}}, {0, 0, {}}});
  std::vector<double> Warp2 = issueCycles({{32, 0, {}}, {0, 0, {}}});
  EXPECT_EQ(Warp1.back(), 546);
  EXPECT_EQ(Warp2.back(), 32);
  EXPECT_EQ(barrierReleaseCycle({Warp1.back(), Warp2.back()}, 34), 580);
}

TEST(IssueSchedule, VectorAddOfSection38Takes544Cycles) {
  // Listing 3.5 on Kepler: add latency 9, load 301, ILP latency 3, and 0 where
  // two instructions are dual-issued: (MOV, S2R), (ISCADD, ISCADD),
  // (LD, ISCADD), (ST, EXIT).
  constexpr double Add = 9, Load = 301, Ilp = 3, Dual = 0;
  constexpr double BlockReplacement = 201;
  std::vector<TimedInstruction> Code = {
      {Dual, Add, {}},    // 0 MOV R1
      {Ilp, Add, {}},     // 1 S2R R3 = tid
      {Ilp, Add, {}},     // 2 S2R R0 = ctaid
      {Ilp, Add, {1, 2}}, // 3 IMAD R2
      {Dual, Add, {3}},   // 4 ISCADD R3
      {Ilp, Add, {3}},    // 5 ISCADD R0
      {Ilp, Load, {4}},   // 6 LD R3
      {Dual, Load, {5}},  // 7 LD R0
      {Ilp, Add, {3}},    // 8 ISCADD R2
      {Ilp, Add, {6, 7}}, // 9 FADD
      {Dual, 0, {8, 9}},  // 10 ST
      {0, 0, {}},         // 11 EXIT
  };
  EXPECT_EQ(issueCycles(Code).back() + BlockReplacement, 544);
}
