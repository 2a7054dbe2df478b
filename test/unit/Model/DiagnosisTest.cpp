//===- DiagnosisTest.cpp - What bounds a launch, and why ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Diagnosis.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// Full SMs whose DRAM is busy for \p Share of the time, of a launch that has
/// them full for \p Full of its own.
DiagnosisEvidence dramBusy(double Share, double Full = 1) {
  DiagnosisEvidence E;
  E.BusyWhenFull[size_t(Resource::Dram)] = Share;
  E.BusyOfLaunch[size_t(Resource::Dram)] = Share * Full;
  E.FirstBound = Resource::Dram;
  E.ShareOfBound = 1;
  E.LaunchKnown = true;
  return E;
}

} // namespace

TEST(Diagnosis, AUnitThatIsBusyMostOfTheTimeIsTheBound) {
  Diagnosis D = diagnose(dramBusy(0.6));
  EXPECT_EQ(D.Unit, Resource::Dram);
  EXPECT_EQ(D.mode(), Mode::ThroughputBound);
  EXPECT_EQ(D.Cause, DiagnosisCause::BusyUnit);
  EXPECT_DOUBLE_EQ(D.Share, 0.6);
  EXPECT_TRUE(D.LaunchKnown);
}

TEST(Diagnosis, TheBusiestUnitCountsNotTheFirstBound) {
  DiagnosisEvidence E = dramBusy(0.7);
  E.BusyOfLaunch[size_t(Resource::L2)] = 0.8;
  EXPECT_EQ(diagnose(E).Unit, Resource::L2);
}

TEST(Diagnosis, BusyWithFewWarpsIsStillTheUnit) {
  DiagnosisEvidence E = dramBusy(0.75);
  E.ShareOfBound = 0.75;
  EXPECT_EQ(diagnose(E).Unit, Resource::Dram);
}

TEST(Diagnosis, FewWarpsAreLatency) {
  DiagnosisEvidence E = dramBusy(0.5);
  E.ShareOfBound = 0.5;
  Diagnosis D = diagnose(E);
  EXPECT_EQ(D.Unit, Resource::Latency);
  EXPECT_EQ(D.mode(), Mode::LatencyBound);
  EXPECT_EQ(D.Cause, DiagnosisCause::FewWarps);
  EXPECT_DOUBLE_EQ(D.Share, 0.5);
  E.GridIsSmall = true;
  EXPECT_EQ(diagnose(E).Cause, DiagnosisCause::SmallGrid);
}

TEST(Diagnosis, EnoughWarpsOfSlowRequestsAreLatencyForAnotherReason) {
  Diagnosis D = diagnose(dramBusy(0.4));
  EXPECT_EQ(D.mode(), Mode::LatencyBound);
  EXPECT_EQ(D.Cause, DiagnosisCause::SlowRequests);
  EXPECT_DOUBLE_EQ(D.Share, 0.4);
  // Of the whole launch, as rates are.
  EXPECT_DOUBLE_EQ(diagnose(dramBusy(0.4, 0.5)).Share, 0.2);
}

TEST(Diagnosis, TheStartOfBlocksHasNoCounter) {
  DiagnosisEvidence E = dramBusy(0.4);
  E.FirstBound = Resource::Launch;
  Diagnosis D = diagnose(E);
  EXPECT_EQ(D.mode(), Mode::LatencyBound);
  EXPECT_EQ(D.Cause, DiagnosisCause::UncountedUnit);
  EXPECT_DOUBLE_EQ(D.Share, 0.4);
}

TEST(Diagnosis, AShortLaunchLeavesUnitsIdle) {
  Diagnosis D = diagnose(dramBusy(0.8, 0.25));
  EXPECT_EQ(D.Unit, Resource::Latency);
  EXPECT_EQ(D.Cause, DiagnosisCause::ShortLaunch);
  EXPECT_DOUBLE_EQ(D.Share, 0.75);
}

TEST(Diagnosis, WithoutABoundWarpsAreFew) {
  DiagnosisEvidence E;
  Diagnosis D = diagnose(E);
  EXPECT_EQ(D.Unit, Resource::Latency);
  EXPECT_EQ(D.Cause, DiagnosisCause::FewWarps);
  EXPECT_FALSE(D.LaunchKnown);
}
