//===- HuangTest.cpp - Volkov 2016, sections 7.5 to 7.8 -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baselines/Huang.h"
#include "ThesisGpus.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace gpuocc;
using huang::Policy;

TEST(Huang, RoundRobinExceedsThePinBandwidthOfFermi) {
  // One issue a cycle and SM: 48 / 513 IPC, which is 252 GB/s.
  double PerCycle = huang::throughput(Fermi.at(0), Policy::RoundRobin, 1, 48);
  EXPECT_DOUBLE_EQ(PerCycle, 48. / 513);
  EXPECT_NEAR(PerCycle / memoryPerCycle(1, 15, 1.401), 252, 0.5);
}

TEST(Huang, RoundRobinSays341AddsPerCycleOnMaxwell) {
  AlphaMix M = Maxwell.at(AddsOnly);
  double PerCycle = huang::throughput(M, Policy::RoundRobin, 4, 64);
  EXPECT_NEAR(addsPerCycle(PerCycle, M.Alpha), 341, 0.5);
}

TEST(Huang, BothPoliciesSay115OnKeplerAtAlpha32) {
  // The thesis states 115 adds per cycle; that is 32 lanes times all 33
  // instructions of a group. The adds alone are 111.
  for (Policy P : {Policy::RoundRobin, Policy::GreedyThenOldest}) {
    double PerCycle = huang::throughput(Kepler.at(32), P, 4, 64);
    EXPECT_NEAR(32 * 33 * PerCycle, 115, 0.5);
    EXPECT_NEAR(addsPerCycle(PerCycle, 32), 111.3, 0.1);
  }
}

TEST(Huang, GreedyThenOldestAtBothEnds) {
  for (double Warps : {2., 8., 16., 48.}) {
    double Memory =
        huang::throughput(Fermi.at(0), Policy::GreedyThenOldest, 1, Warps);
    EXPECT_DOUBLE_EQ(Memory,
                     Warps / std::max(513., (Warps - 1) * (1 - 1. / 513) + 1));
    double Adds =
        AddsOnly * huang::throughput(Maxwell.at(AddsOnly),
                                     Policy::GreedyThenOldest, 1, Warps);
    EXPECT_NEAR(Adds, Warps / std::max(6., (Warps - 1) * (1 - 1. / 6) + 1),
                1e-5);
  }
}

TEST(Huang, GreedyThenOldestExceedsIssueBy20PercentOnMaxwell) {
  double Cpi = huang::multithreadingCpi(Maxwell.at(AddsOnly),
                                        Policy::GreedyThenOldest, 1e6);
  EXPECT_NEAR(Cpi, 1 - 1. / 6, 1e-4);
  EXPECT_NEAR(1 / Cpi, 1.20, 0.001);
}

/// The synthetic GPU of the original paper: 192 GB/s at 1 GHz, 16 cores, 300
/// cycles of memory latency, 25 of arithmetic.
static AlphaMix synthetic(double Alpha) { return {Alpha, 300, 1, 25, 1, 1}; }
static constexpr huang::Bandwidth SyntheticMemory = {16, 128 / 192., 1};

TEST(Huang, BandwidthOfTheSyntheticGpuHasAPoleAt28Point1Warps) {
  EXPECT_NEAR(SyntheticMemory.ServiceCycles, 0.667, 0.001);
  // Utilization l s passes 1 between 28 and 28.25 warps, and is 1.14 at 32.
  EXPECT_GT(huang::bandwidthDelay(synthetic(16), SyntheticMemory, 28.0), 0);
  EXPECT_LT(huang::bandwidthDelay(synthetic(16), SyntheticMemory, 28.2), 0);
  EXPECT_NEAR(300 / (16 * SyntheticMemory.ServiceCycles), 28.1, 0.05);
  EXPECT_NEAR(32 * 16 / 300. * SyntheticMemory.ServiceCycles, 1.14, 0.005);
}

TEST(Huang, NegativeTimesOfTheSyntheticGpu) {
  EXPECT_NEAR(huang::bandwidthDelay(synthetic(0), SyntheticMemory, 29), -11,
              0.5);
  EXPECT_NEAR(huang::contendedCpi(synthetic(0), Policy::RoundRobin,
                                  SyntheticMemory, 29),
              -0.7, 0.05);
}

/// Fermi: 177.4 GB/s at 1.4 GHz, 15 cores.
static huang::Bandwidth fermiMemory(double Transactions) {
  return {15, 1.4 * 128 / 177.4, Transactions};
}

TEST(Huang, ThroughputOfFermiAt34WarpsIsMinus12) {
  for (Policy P : {Policy::RoundRobin, Policy::GreedyThenOldest}) {
    double PerCycle =
        huang::contendedThroughput(Fermi.at(32), P, fermiMemory(1), 1, 34);
    EXPECT_NEAR(addsPerCycle(PerCycle, 32), -12, 0.5);
  }
}

TEST(Huang, StrideTwoOnFermiTakesMinus89CyclesPerInstruction) {
  EXPECT_NEAR(huang::bandwidthDelay(Fermi.at(0), fermiMemory(2), 17), -120, 1);
  for (Policy P : {Policy::RoundRobin, Policy::GreedyThenOldest})
    EXPECT_NEAR(huang::contendedCpi(Fermi.at(0), P, fermiMemory(2), 17), -89,
                1);
}
