//===- VolkovTest.cpp - Volkov 2016, chapters 3, 4 and 6 ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baselines/Volkov.h"
#include "ThesisGpus.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

TEST(Volkov, MemoryThroughputOfSection32) {
  // 224 and 211 GB/s over 16 SMs at 1.266 GHz, 128 bytes an access.
  double Pin = memoryPerCycle(224, 16, 1.266);
  EXPECT_NEAR(Pin, 0.086, 0.0005);
  EXPECT_NEAR(368 * Pin, 33, 1.5); // from the rounded 0.086: 31.6
  EXPECT_NEAR(memoryPerCycle(211, 16, 1.266), 0.0814, 0.0001);
}

TEST(Volkov, MemoryThroughputsOfTable41FollowFromTables64And26) {
  EXPECT_NEAR(memoryPerCycle(74, 16, 1.35), G80.Mix.MemPerCycle, 0.0001);
  EXPECT_NEAR(memoryPerCycle(138, 30, 1.296), Gt200.Mix.MemPerCycle, 0.0001);
  EXPECT_NEAR(memoryPerCycle(161, 15, 1.401), Fermi.Mix.MemPerCycle, 0.0001);
  EXPECT_NEAR(memoryPerCycle(154, 8, 1.124), Kepler.Mix.MemPerCycle, 0.0001);
}

TEST(Volkov, FewerWarpsThanNeededGoByLatency) {
  // Table 4.2: n / (368 + 6 alpha).
  EXPECT_DOUBLE_EQ(volkov::throughput(Maxwell.at(49), 10), 10. / (368 + 294));
  EXPECT_DOUBLE_EQ(volkov::throughput(G80.at(16), 3), 3. / (444 + 320));
}

TEST(Volkov, BoundsOfTable42) {
  // G80 and GT200 are bound by their cores, the others by issue.
  EXPECT_DOUBLE_EQ(volkov::throughputBound(G80.at(16)), 0.25 / 16);
  EXPECT_DOUBLE_EQ(volkov::throughputBound(Gt200.at(16)), 0.25 / 16);
  EXPECT_DOUBLE_EQ(volkov::throughputBound(Fermi.at(32)), 1. / 33);
  EXPECT_DOUBLE_EQ(volkov::throughputBound(Kepler.at(128)), 4. / 129);
  EXPECT_DOUBLE_EQ(volkov::throughputBound(Maxwell.at(512)), 4. / 513);
  for (const ThesisGpu &Gpu : {G80, Gt200, Fermi, Kepler, Maxwell})
    EXPECT_DOUBLE_EQ(volkov::throughputBound(Gpu.at(0)), Gpu.Mix.MemPerCycle);
}

TEST(Volkov, MaxwellNeeds30And24WarpsAtTheEnds) {
  EXPECT_NEAR(volkov::neededWarps(Maxwell.at(0)), 30, 0.1);
  EXPECT_NEAR(volkov::neededWarps(Maxwell.at(AddsOnly)), 24, 0.01);
}

TEST(Volkov, MaxwellNeeds54WarpsAtTheCusp) {
  double Most = 0, At = 0;
  for (double Alpha = 1; Alpha <= 512; Alpha += 0.125)
    if (double Needed = volkov::neededWarps(Maxwell.at(Alpha)); Needed > Most)
      Most = Needed, At = Alpha;
  EXPECT_NEAR(At, 49, 1);
  EXPECT_NEAR(Most, 54, 0.6);
  // The sum of both ends exactly, where arithmetic is the bound and not issue.
  AlphaMix M = Maxwell.at(4 / 0.0814);
  M.IssuePerCycle = 8;
  EXPECT_NEAR(volkov::neededWarps(M), 24 + 368 * 0.0814, 1e-9);
}

TEST(Volkov, ExecutionOfFigure47NeedsSixWarps) {
  // 4 arithmetic instructions of 3 cycles to one load of 12, at 1 IPC of
  // arithmetic: 3 + 3 instructions in execution.
  AlphaMix M{4, 12, 1, 3, 1, 2};
  EXPECT_DOUBLE_EQ(volkov::neededWarps(M), 6);
  EXPECT_LT(volkov::throughput(M, 5), volkov::throughputBound(M));
  EXPECT_DOUBLE_EQ(M.Alpha * volkov::throughput(M, 6), 1);
}

TEST(Volkov, LinearEstimatesOfTable64) {
  // Warps per scheduler; G80 and GT200 have one, Fermi two, the others four.
  EXPECT_NEAR(volkov::neededWarps(G80.at(0)), 12, 0.2);
  EXPECT_NEAR(volkov::neededWarps(Gt200.at(0)), 12, 0.2);
  EXPECT_NEAR(volkov::neededWarps(Fermi.at(0)) / 2, 15.5, 0.2);
  EXPECT_NEAR(volkov::neededWarps(Kepler.at(0)) / 4, 10, 0.2);
  EXPECT_NEAR(volkov::neededWarps(Maxwell.at(0)) / 4, 7.5, 0.2);
}

TEST(Volkov, NonCoalescedAccessesNeedFewerWarps) {
  // Section 4.3: stride-2 and random accesses on Maxwell; 20 and 3 warps reach
  // 90 % in the experiment.
  AlphaMix Stride2 = Maxwell.at(0), Random = Maxwell.at(0);
  Stride2.MemLatencyCycles = 376, Stride2.MemPerCycle = 0.041;
  Random.MemLatencyCycles = 534, Random.MemPerCycle = 0.0029;
  EXPECT_NEAR(volkov::neededWarps(Stride2), 15.4, 0.1);
  EXPECT_NEAR(volkov::neededWarps(Random), 1.55, 0.01);
}

/// Section 6.5: 300 + 32 x / (0.1477 - x).
static volkov::Contention keplerMemory() { return {300, {{32, 0.1477}}}; }

TEST(Volkov, ContentionOfKeplerInInstructionsPerCycle) {
  EXPECT_NEAR(memoryPerCycle(170, 8, 1.124), 0.1477, 0.0001);
}

TEST(Volkov, RefinedThroughputSolvesTheEquationOfSection65) {
  for (double Alpha : {1., 8., 32., 64.})
    for (double Warps : {4., 16., 32., 64.}) {
      double X =
          volkov::refinedThroughput(Kepler.at(Alpha), keplerMemory(), Warps);
      double Right =
          std::min({Warps / (300 + 32 * X / (0.1477 - X) + 9 * Alpha), 0.1338,
                    4 / (Alpha + 1)});
      EXPECT_NEAR(X, Right, 1e-6 * X) << Alpha << " " << Warps;
    }
}

TEST(Volkov, RefinedThroughputIsAtMostTheBasicOne) {
  volkov::Contention Memory = keplerMemory();
  Memory.A = 301;
  for (double Warps = 1; Warps <= 64; ++Warps)
    EXPECT_LE(volkov::refinedThroughput(Kepler.at(32), Memory, Warps),
              volkov::throughput(Kepler.at(32), Warps) * (1 + 1e-9));
}

TEST(Volkov, ContentionHasNoLatencyBeyondItsPole) {
  EXPECT_TRUE(std::isinf(keplerMemory().latency(0.15)));
  EXPECT_EQ(keplerMemory().latency(0), 300);
}

TEST(Volkov, ContentionOfG80HasTwoTerms) {
  // Section 6.4, in GB/s: 441 + 4 x / (71 - x) + 156 x / (121 - x).
  volkov::Contention G80Memory{441, {{4, 71}, {156, 121}}};
  EXPECT_NEAR(G80Memory.latency(37), 441 + 4 * 37. / 34 + 156 * 37. / 84, 1e-9);
}
