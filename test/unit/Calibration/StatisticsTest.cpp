//===- StatisticsTest.cpp - Means, intervals, fits ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "stats/Statistics.h"
#include "record/Database.h"
#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace gpuocc::calibration;
using namespace llvm;

using Points = std::vector<std::pair<double, double>>;

TEST(Summarize, NothingForNoSamples) {
  Summary S = summarize({});
  EXPECT_EQ(S.Samples, 0u);
  EXPECT_EQ(S.Mean, 0);
  EXPECT_FALSE(S.Stable);
}

TEST(Summarize, OneSampleHasNoIntervalAndIsNotStable) {
  Summary S = summarize({4.0});
  EXPECT_EQ(S.Mean, 4);
  EXPECT_EQ(S.Minimum, 4);
  EXPECT_EQ(S.HalfWidth95, 0);
  EXPECT_FALSE(S.Stable);
}

TEST(Summarize, TwoSamplesUseStudentsT) {
  Summary S = summarize({10.0, 10.1});
  EXPECT_NEAR(S.Mean, 10.05, 1e-12);
  // t(1) = 12.706, deviation 0.0707, over sqrt 2.
  EXPECT_NEAR(S.HalfWidth95, 12.706 * 0.05, 1e-3);
  EXPECT_FALSE(S.Stable);
}

TEST(Summarize, MedianOfAnEvenCountIsBetween) {
  EXPECT_EQ(summarize({1.0, 2.0, 3.0, 4.0}).Median, 2.5);
}

TEST(Summarize, TiesAreStable) {
  Summary S = summarize(std::vector<double>(25, 4.0));
  EXPECT_EQ(S.spread(), 0);
  EXPECT_TRUE(S.Stable);
}

TEST(Summarize, DropsWhatIsNotFinite) {
  Summary S = summarize({NAN, 2.0, INFINITY, 2.0});
  EXPECT_EQ(S.Samples, 2u);
  EXPECT_EQ(S.Mean, 2);
}

TEST(Summarize, OneOutlierIsCountedAndLeftOut) {
  std::vector<double> Samples(24, 100.0);
  Samples.push_back(500);
  Summary S = summarize(Samples);
  EXPECT_EQ(S.Outliers, 1u);
  EXPECT_EQ(S.Mean, 100);
  EXPECT_TRUE(S.Stable);
}

TEST(Summarize, ManyOutliersAreNotStable) {
  std::vector<double> Samples(20, 100.0);
  Samples.insert(Samples.end(), 5, 150.0);
  Summary S = summarize(Samples);
  EXPECT_EQ(S.Outliers, 5u);
  EXPECT_FALSE(S.Stable);
}

TEST(Percentile, InterpolatesAndKnowsNothingOfNoSamples) {
  EXPECT_EQ(percentile({}, 0.5), std::nullopt);
  EXPECT_EQ(percentile({10.0, 20.0, 30.0}, 0.25), 15.0);
  EXPECT_EQ(percentile({10.0, 20.0, 30.0}, 1.0), 30.0);
}

TEST(FitLine, FindsALineAndRefusesAPoint) {
  std::optional<Line> L = fitLine(Points{{1, 14}, {2, 16}, {8, 28}});
  ASSERT_TRUE(L);
  EXPECT_NEAR(L->Intercept, 12, 1e-9);
  EXPECT_NEAR(L->Slope, 2, 1e-9);
  EXPECT_FALSE(fitLine(Points{{1, 1}, {1, 2}}));
  EXPECT_FALSE(fitLine({}));
}

TEST(Contention, ThroughputFollowsLittlesLaw) {
  Contention Fit{700, 50, 18, 0};
  for (double InFlight : {100.0, 5000.0, 50000.0}) {
    double X = throughputAt(Fit, InFlight);
    EXPECT_LT(X, Fit.C);
    EXPECT_NEAR(X * Fit.latency(X), InFlight, InFlight * 1e-9);
  }
}

TEST(Contention, FitRecoversWhatMadeThePoints) {
  Contention True{700, 50, 18, 0};
  Points Made;
  for (double InFlight = 100; InFlight < 1e5; InFlight *= 1.5) {
    double X = throughputAt(True, InFlight);
    Made.push_back({X, True.latency(X)});
  }
  std::optional<Contention> Fit = fitContention(Made);
  ASSERT_TRUE(Fit);
  EXPECT_NEAR(Fit->A, 700, 1);
  EXPECT_NEAR(Fit->B, 50, 1);
  EXPECT_NEAR(Fit->C, 18, 0.02);
  EXPECT_LT(Fit->Residual, 1);
  EXPECT_FALSE(fitContention(Points{{1, 1}, {2, 2}}));
}

TEST(Ridge, IsInterpolatedBetweenThePoints) {
  Points Curve = {{4, 1}, {8, 2}, {12, 3}, {16, 4}, {20, 4}};
  EXPECT_EQ(ridgePoint(Curve, 4, 0.875), 14.0);
  EXPECT_EQ(ridgePoint(Curve, 1, 0.95), 4.0);
  EXPECT_EQ(ridgePoint(Curve, 8), std::nullopt);
}

TEST(ChangePoint, FindsAStepAndIgnoresNoise) {
  EXPECT_EQ(changePoint({28.0, 28.0, 28.1, 98.0, 98.0}), 3u);
  EXPECT_EQ(changePoint({28.0, 28.1, 27.9, 28.0}), std::nullopt);
  EXPECT_EQ(changePoint({28.0}), std::nullopt);
}

TEST(ClockMoved, IsMoreThanAFewOutliers) {
  std::vector<double> Steady(20, 1.98);
  EXPECT_FALSE(clockMoved(Steady));
  Steady[3] = 1.9;
  EXPECT_FALSE(clockMoved(Steady));
  std::vector<double> Ramp;
  for (int I = 0; I < 20; ++I)
    Ramp.push_back(1.5 + 0.02 * I);
  EXPECT_TRUE(clockMoved(Ramp));
  EXPECT_FALSE(clockMoved({1.0, 2.0}));
  EXPECT_FALSE(clockMoved({}));
}

TEST(ClockDrift, IsTheWidthOverTheMedian) {
  EXPECT_NEAR(clockDrift({1.98, 1.98, 1.881}), 0.05, 1e-9);
  EXPECT_EQ(clockDrift({1.98}), 0);
}

namespace {
/// Rows of a table of a recorded run on an H200.
class RecordedRun : public ::testing::Test {
protected:
  void SetUp() override {
    Expected<json::Object> File =
        readObject(GPUOCC_SOURCE_DIR "/calibration/results/nvidia-h200/"
                                     "2026-11-21T0637/second-run.json");
    ASSERT_TRUE(bool(File)) << toString(File.takeError());
    Run = std::move(*File);
  }

  std::vector<std::vector<double>> rows(StringRef Table) {
    std::vector<std::vector<double>> Rows;
    for (const json::Value &Row :
         *Run.getObject("tables")->getObject(Table)->getArray("rows")) {
      Rows.emplace_back();
      for (const json::Value &Cell : *Row.getAsArray())
        Rows.back().push_back(Cell.getAsNumber().value_or(NAN));
    }
    return Rows;
  }

  json::Object Run;
};
} // namespace

TEST_F(RecordedRun, DramContentionFitsTheThroughputWithinTenPercent) {
  Points Measured;
  for (const std::vector<double> &Row : rows("contention_dram_read"))
    Measured.push_back({Row[3], Row[2]});
  std::optional<Contention> Fit = fitContention(Measured);
  ASSERT_TRUE(Fit);
  double Worst = 0;
  for (auto [X, L] : Measured)
    Worst = std::max(Worst, std::fabs(X / throughputAt(*Fit, X * L) - 1));
  EXPECT_LT(Worst, 0.10);
  EXPECT_LT(Fit->Residual, 0.03 * 1000);
}

TEST_F(RecordedRun, NearPartitionOfL2EndsBetween28And36MiB) {
  std::vector<double> Footprints, Latencies;
  for (const std::vector<double> &Row : rows("latency_by_footprint")) {
    if (Row[0] > 48 * 1048576.0)
      break;
    Footprints.push_back(Row[0] / 1048576);
    Latencies.push_back(Row[1]);
  }
  std::optional<size_t> Step = changePoint(Latencies);
  ASSERT_TRUE(Step);
  EXPECT_GE(Footprints[*Step], 28);
  EXPECT_LE(Footprints[*Step], 36);
}

TEST_F(RecordedRun, ConstantCacheEndsAt2KiB) {
  std::vector<double> Latencies;
  std::vector<std::vector<double>> Rows = rows("constant_sizes");
  for (const std::vector<double> &Row : Rows)
    Latencies.push_back(Row[1]);
  std::optional<size_t> Step =
      changePoint(ArrayRef<double>(Latencies).take_front(8));
  ASSERT_TRUE(Step);
  EXPECT_EQ(Rows[*Step - 1][0], 2048);
}

TEST(LastFit, IsTheLastBelowHalfAsMuchAgain) {
  EXPECT_EQ(lastFit({34, 34, 34, 50, 60, 200}, 3), 3u);
  EXPECT_EQ(lastFit({34, 34, 34, 34}, 3), std::nullopt);
  EXPECT_EQ(lastFit({34, 34}, 3), std::nullopt);
  EXPECT_EQ(lastFit({}, 0), std::nullopt);
}

TEST_F(RecordedRun, L1HoldsTwoHundredAndSixteenKiBInLinesOf128Bytes) {
  std::map<double, std::vector<double>> Footprints, Latencies;
  for (const std::vector<double> &Row : rows("l1_sizes")) {
    Footprints[Row[0]].push_back(Row[1]);
    Latencies[Row[0]].push_back(Row[2]);
  }
  // Beyond the line a longer stride reaches further.
  for (auto [Stride, KiB] : {std::pair(32., 216.),
                             {64., 216.},
                             {128., 216.},
                             {256., 432.},
                             {512., 864.}}) {
    std::optional<size_t> Last = lastFit(Latencies[Stride], 5);
    ASSERT_TRUE(Last) << Stride;
    EXPECT_EQ(Footprints[Stride][*Last], KiB * 1024) << Stride;
  }
}

TEST_F(RecordedRun, CountingInSharedMemoryDoesNotDependOnConflicts) {
  for (const std::vector<double> &Row : rows("contended_shared")) {
    if (Row[0] == 2)
      EXPECT_NEAR(Row[3], 1, 0.01) << Row[1];
    if (Row[0] == 0)
      EXPECT_NEAR(Row[3], Row[1], 0.02 * Row[1]) << Row[1];
  }
}

TEST_F(RecordedRun, L1StridesAreBanksOrLines) {
  // 32 banks of 4 bytes, 4 lines a cycle: what the recorded strides show.
  for (const std::vector<double> &Row : rows("l1_strides")) {
    unsigned Bytes = unsigned(Row[0]), Stride = unsigned(Row[1]);
    if (Bytes != 4 || Stride == 0)
      continue;
    unsigned Most = 0, Banks[32] = {};
    for (unsigned Lane = 0; Lane < 32; ++Lane)
      Most = std::max(Most, ++Banks[Lane * Stride % 32]);
    double Lines = std::ceil(Stride / 4.0);
    EXPECT_NEAR(Row[2], std::max<double>(Most, Lines), 0.06) << Stride;
  }
}
