//===- CompareLocksTest.cpp - What changed since a lock file --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lock/CompareLocks.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

LockedKernel kernel(uint64_t Registers, uint64_t BlocksPerSm,
                    std::optional<double> TimeNs) {
  LockedKernel K;
  K.Name = "k(float*)";
  K.Architecture = "sm_90";
  K.Registers = Registers;
  K.SpillBytes = K.StackBytes = K.SharedBytes = 0;
  LockedLaunch L;
  L.Text = "64 x 256 + 0 B";
  L.Device = "nvidia-h200";
  L.BlocksPerSm = BlocksPerSm;
  L.TimeNs = TimeNs;
  L.Limiter = "latency";
  L.NeededWarps = 30;
  L.WarpsPerSm = BlocksPerSm * 8;
  if (TimeNs)
    K.Launches = {L};
  else
    K.Blocks = LockedBlocks{BlocksPerSm, 256};
  return K;
}

LockFile lockOf(std::vector<LockedKernel> Kernels) {
  LockFile Lock;
  Lock.Kernels = std::move(Kernels);
  cantFail(normalize(Lock));
  return Lock;
}

/// "slower: reason" of the only change.
std::string changeText(LockedKernel Before, LockedKernel After) {
  const LockFile A = lockOf({std::move(Before)}),
                 B = lockOf({std::move(After)});
  const std::vector<LockChange> Changes = compareLocks(A, B, 1.1);
  EXPECT_LE(Changes.size(), 1u);
  return Changes.empty() ? ""
                         : lockVerdictText(Changes[0].Verdict).str() + ": " +
                               Changes[0].Reason;
}

} // namespace

TEST(CompareLocks, ALostTimeIsNeverDropped) {
  LockedKernel Timed = kernel(86, 3, 100e3), Untimed = Timed;
  Untimed.Launches[0].Text = "? x 256 + 0 B";
  Untimed.Launches[0].TimeNs = std::nullopt;
  Untimed.Launches[0].Limiter.clear();
  EXPECT_EQ(changeText(Timed, Untimed),
            "cannot compare: launch ? x 256 + 0 B instead of 64 x 256 + 0 B; "
            "no time instead of 100 us");
  EXPECT_EQ(changeText(Timed, kernel(86, 3, std::nullopt)),
            "cannot compare: no launch is known, one was");
  EXPECT_TRUE(StringRef(changeText(Untimed, Timed)).starts_with("changed: "));
}

TEST(CompareLocks, LaunchesOnAnotherDeviceAreNotCompared) {
  LockedKernel Other = kernel(86, 3, 100e3);
  Other.Launches[0].Device = "nvidia-h100";
  EXPECT_EQ(changeText(kernel(86, 3, 100e3), Other),
            "cannot compare: launches on nvidia-h100, the file has those on "
            "nvidia-h200");
}

TEST(CompareLocks, EqualTimesAreNoSlowdownWhateverTheThreshold) {
  LockedKernel Before = kernel(80, 6, 100e3), After = kernel(82, 6, 100e3);
  const LockFile A = lockOf({Before}), B = lockOf({After});
  std::vector<LockChange> Changes = compareLocks(A, B, 1);
  ASSERT_EQ(Changes.size(), 1u);
  EXPECT_EQ(Changes[0].Verdict, LockVerdict::Changed);
  After.Launches[0].TimeNs = 101e3;
  const LockFile C = lockOf({After});
  Changes = compareLocks(A, C, 1);
  ASSERT_EQ(Changes.size(), 1u);
  EXPECT_EQ(Changes[0].Verdict, LockVerdict::Slower);
}

TEST(CompareLocks, SaysWhatItCosts) {
  EXPECT_EQ(changeText(kernel(86, 3, 100e3), kernel(98, 2, 118e3)),
            "slower: 98 registers instead of 86: 2 blocks per SM instead of 3; "
            "time 1.18x; bound by latency, which needs 30 of 16 warps");
  EXPECT_EQ(changeText(kernel(86, 3, 100e3), kernel(86, 3, 100e3)), "");
}

TEST(CompareLocks, AChangeThatCostsNothingIsOne) {
  EXPECT_EQ(
      changeText(kernel(80, 6, 100e3), kernel(82, 5, 100e3)),
      "changed: 82 registers instead of 80: 5 blocks per SM instead of 6; "
      "bound by latency, which needs 30 of 40 warps");
  LockedKernel Spills = kernel(82, 5, 95e3);
  Spills.SpillBytes = 40;
  EXPECT_EQ(changeText(kernel(88, 5, 100e3), Spills).substr(0, 8), "changed:");
  EXPECT_EQ(changeText(kernel(80, 6, 100e3), kernel(60, 8, 50e3)).substr(0, 7),
            "faster:");
}

TEST(CompareLocks, WithoutAPriceFewerBlocksAndSpillsCost) {
  EXPECT_EQ(
      changeText(kernel(80, 3, std::nullopt), kernel(82, 3, std::nullopt)),
      "changed: 82 registers instead of 80");
  EXPECT_EQ(
      changeText(kernel(80, 3, std::nullopt), kernel(90, 2, std::nullopt)),
      "slower: 90 registers instead of 80: 2 blocks per SM instead of 3");
  LockedKernel Spills = kernel(80, 3, std::nullopt);
  Spills.SpillBytes = 40;
  EXPECT_EQ(changeText(kernel(80, 3, std::nullopt), Spills),
            "slower: 40 B of spills instead of 0");
  // Blocks do not outweigh spills, either way.
  LockedKernel More = kernel(40, 6, std::nullopt);
  More.SpillBytes = 40;
  EXPECT_EQ(changeText(kernel(80, 3, std::nullopt), More).substr(0, 7),
            "slower:");
  EXPECT_EQ(changeText(More, kernel(80, 3, std::nullopt)).substr(0, 7),
            "faster:");
}

TEST(CompareLocks, FewerBlocksOfALaunchWithoutATimeCost) {
  LockedKernel Before = kernel(86, 3, 100e3);
  Before.Launches[0].TimeNs = std::nullopt;
  Before.Launches[0].Limiter.clear();
  LockedKernel After = Before;
  After.Launches[0].BlocksPerSm = 2;
  EXPECT_EQ(changeText(Before, After), "slower: 2 blocks per SM instead of 3");
  EXPECT_EQ(changeText(After, Before), "faster: 3 blocks per SM instead of 2");
  // Larger blocks are another launch.
  After.Launches[0].Text = "64 x 512 + 0 B";
  EXPECT_TRUE(StringRef(changeText(Before, After)).starts_with("changed: "));
}

TEST(CompareLocks, WhereDataDecidesTimesMoveFurther) {
  LockedKernel Before = kernel(80, 3, 100e3), After = kernel(80, 3, 115e3);
  EXPECT_EQ(changeText(Before, After).substr(0, 7), "slower:");
  After.Launches[0].DataDecides = true;
  EXPECT_EQ(changeText(Before, After).substr(0, 8), "changed:");
}

TEST(CompareLocks, LaunchesThatCannotRun) {
  LockedKernel Before = kernel(96, 1, 100e3), After = Before;
  After.Launches[0] = {};
  After.Launches[0].Text = "64 x 1024 + 0 B";
  After.Launches[0].Device = "nvidia-h200";
  After.Launches[0].CannotRun = true;
  EXPECT_EQ(changeText(Before, After),
            "cannot run: launch 64 x 1024 + 0 B cannot run on nvidia-h200");
  EXPECT_EQ(changeText(After, After), "");
}

TEST(CompareLocks, KernelsOfOneNameArePairedByWhatTheyTake) {
  LockedKernel One = kernel(16, 8, 1e3), Two = kernel(24, 8, 1e3),
               Three = kernel(32, 8, 1e3);
  const LockFile A = lockOf({One, Two}), B = lockOf({Two, Three});
  const std::vector<LockChange> Changes = compareLocks(A, B, 1.1);
  ASSERT_EQ(Changes.size(), 1u);
  EXPECT_EQ(Changes[0].Before->Registers, 16u);
  EXPECT_EQ(Changes[0].After->Registers, 32u);
}

TEST(CompareLocks, AnotherSignatureIsTheSameKernel) {
  LockedKernel Narrow = kernel(16, 8, 1e3), Wide = kernel(24, 8, 2e3);
  Narrow.Name = "gather<float>(float*, unsigned int)";
  Wide.Name = "gather<float>(float*, unsigned long)";
  const LockFile A = lockOf({Narrow}), B = lockOf({Wide});
  const std::vector<LockChange> Changes = compareLocks(A, B, 1.1);
  ASSERT_EQ(Changes.size(), 1u);
  EXPECT_EQ(Changes[0].Verdict, LockVerdict::Slower);
  EXPECT_NE(Changes[0].Reason.find(
                "was gather<float>(float*, unsigned int); 24 registers"),
            std::string::npos)
      << Changes[0].Reason;
}

TEST(CompareLocks, OfTwoSignaturesNobodySaysWhichItWas) {
  LockedKernel Narrow = kernel(16, 8, 1e3), Wide = kernel(24, 8, 2e3);
  LockedKernel Third = kernel(24, 8, 3e3);
  Narrow.Name = "gather<float>(float*, unsigned int)";
  Wide.Name = "gather<float>(float*, unsigned long)";
  Third.Name = "gather<double>(double*, unsigned long)";
  const LockFile A = lockOf({Narrow}), B = lockOf({Wide, Third});
  const std::vector<LockChange> Changes = compareLocks(A, B, 1.1);
  ASSERT_EQ(Changes.size(), 3u);
  for (const LockChange &C : Changes)
    EXPECT_TRUE(!C.Before || !C.After);
}

TEST(CompareLocks, WhatCameAndWentIsNamed) {
  LockedKernel Other = kernel(16, 8, 1e3);
  Other.Name = "other()";
  const LockFile A = lockOf({kernel(16, 8, 1e3)}), B = lockOf({Other});
  const std::vector<LockChange> Changes = compareLocks(A, B, 1.1);
  ASSERT_EQ(Changes.size(), 2u);
  EXPECT_EQ(Changes[0].Verdict, LockVerdict::Added);
  EXPECT_EQ(Changes[1].Verdict, LockVerdict::Removed);
  EXPECT_FALSE(costsTime(Changes[0]));
  EXPECT_FALSE(costsTime(Changes[1]));
}

TEST(CompareLocks, CausesOfManyChanges) {
  std::vector<LockedKernel> Old, New;
  for (unsigned I = 0; I != 4; ++I) {
    Old.push_back(kernel(32, 8, 1e3));
    Old.back().Name = "k" + std::to_string(I);
    New.push_back(Old.back());
    *New.back().Registers += 8;
  }
  New[3].Registers = 32;
  New[3].SharedBytes = 1024;
  const LockFile A = lockOf(Old), B = lockOf(New);
  const std::vector<LockChange> Changes = compareLocks(A, B, 1.1);
  const std::vector<LockCause> Causes = causesOf(Changes);
  ASSERT_EQ(Causes.size(), 2u);
  EXPECT_EQ(Causes[0].What, "more registers");
  EXPECT_EQ(Causes[0].Changes.size(), 3u);
  EXPECT_EQ(Causes[1].What, "more shared memory");
}
