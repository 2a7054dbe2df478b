//===- PhaseNetworkTest.cpp - Interference of warps -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/PhaseNetwork.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

TEST(PhaseNetwork, OnePhaseAloneIsTheBasicModel) {
  PhaseNetwork Net({WarpPhase{24, 4}}, 16);
  for (unsigned N = 1; N <= 16; ++N)
    EXPECT_NEAR(Net.throughput(N, 0), std::min(N / 24., 1 / 4.), 1e-12);
}

TEST(PhaseNetwork, WaitAloneIsLittlesLaw) {
  PhaseNetwork Net({}, 8);
  EXPECT_NEAR(Net.throughput(5, 100), 0.05, 1e-12);
}

TEST(PhaseNetwork, OneWarpTakesTheSumOfItsTimes) {
  PhaseNetwork Net({WarpPhase{24, 4}, WarpPhase{17, 8}}, 4);
  EXPECT_NEAR(Net.throughput(1, 59), 0.01, 1e-12);
}

TEST(PhaseNetwork, PhaseThatIsAlwaysBusyFollowsMeanValueAnalysis) {
  // One station of 10 cycles and a wait of 30: residence times of mean value
  // analysis are 10 (1 + customers found).
  PhaseNetwork Net({WarpPhase{10, 10}}, 6);
  double Queue = 0;
  for (unsigned N = 1; N <= 6; ++N) {
    double Residence = 10 * (1 + Queue);
    double X = N / (30 + Residence);
    Queue = X * Residence;
    EXPECT_NEAR(Net.throughput(N, 30), X, 1e-12);
  }
}

TEST(PhaseNetwork, StaysUnderBothAsymptotesAndGrows) {
  PhaseNetwork Net({WarpPhase{260, 65}, WarpPhase{17, 8}}, 64);
  double Last = 0;
  for (unsigned N = 1; N <= 64; ++N) {
    double X = Net.throughput(N, 700);
    EXPECT_GE(X, Last * (1 - 1e-12));
    EXPECT_LE(X, std::min(N / 977., 1 / 65.) * (1 + 1e-9));
    Last = X;
  }
  EXPECT_NEAR(Last, 1 / 65., 1e-4);
}

TEST(PhaseNetwork, InterpolatesBetweenWholeWarps) {
  PhaseNetwork Net({WarpPhase{10, 10}}, 4);
  double Two = Net.throughput(2, 30), Three = Net.throughput(3, 30);
  EXPECT_NEAR(Net.throughput(2.25, 30), 0.75 * Two + 0.25 * Three, 1e-12);
  EXPECT_NEAR(Net.throughput(0.5, 30), 0.5 * Net.throughput(1, 30), 1e-12);
}

TEST(PhaseNetwork, ExtremesAreFinite) {
  PhaseNetwork Long({WarpPhase{1e12, 1e9}}, 64);
  EXPECT_NEAR(Long.throughput(64, 1e12) * 1e9, 0.032, 0.001);
  EXPECT_TRUE(std::isinf(PhaseNetwork({}, 4).throughput(1, 0)));
  EXPECT_EQ(Long.throughput(0, 1), 0);
}
