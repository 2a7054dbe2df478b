//===- GridAccuracyTest.cpp - How close the models come -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures that may only get better: tighten the limits when they do.
//
//===----------------------------------------------------------------------===//

#include "MixModels.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace gpuocc;
using namespace llvm;

namespace {
struct Distance {
  double Worst = 1, SumOfSquares = 0;
  unsigned NumPoints = 0;
  void add(double Ratio) {
    Worst = std::max({Worst, Ratio, Ratio > 0 ? 1 / Ratio : INFINITY});
    SumOfSquares += Ratio > 0 ? std::pow(std::log(Ratio), 2) : INFINITY;
    ++NumPoints;
  }
  double typical() const {
    return std::exp(std::sqrt(SumOfSquares / NumPoints));
  }
};
} // namespace

/// One Distance a model, in the order of mixModels().
static std::vector<Distance> distances(ArrayRef<MixGrid> Grids) {
  DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  std::vector<Distance> Result(mixModels().size());
  for (const MixGrid &Grid : Grids) {
    std::map<std::pair<unsigned, unsigned>, MixCase> Cases;
    for (const MixPoint &P : Grid.Points) {
      auto Key = std::make_pair(P.Ilp, P.Alpha);
      auto At = Cases.find(Key);
      if (At == Cases.end())
        At = Cases
                 .emplace(Key, cantFail(mixCase({Grid.Kind, P.Alpha, P.Ilp},
                                                Device, Grid)))
                 .first;
      for (size_t I = 0; I != Result.size(); ++I)
        Result[I].add(mixModels()[I].Throughput(At->second, P.Warps) /
                      P.PerCycleSm);
    }
  }
  return Result;
}

/// Measured on another H200 than that of the database, whose DRAM answers 3.7 %
/// later.
static std::vector<MixGrid> recordedGrids() {
  return cantFail(readMixGrids(
      GPUOCC_SOURCE_DIR "/calibration/results/nvidia-h200/2026-11-22T0057"));
}

TEST(GridAccuracy, RefinedIsWithinItsLimits) {
  Distance Refined = distances(recordedGrids())[0];
  EXPECT_LT(Refined.typical(), 1.05);
  EXPECT_LT(Refined.Worst, 1.14);
}

TEST(GridAccuracy, CoalescedLoadsAreWithinTheirLimits) {
  std::vector<MixGrid> Grids = recordedGrids();
  ASSERT_EQ(Grids.front().Kind, MixKind::DramLoad);
  Distance Refined = distances(ArrayRef(Grids).take_front())[0];
  EXPECT_LT(Refined.typical(), 1.051);
  EXPECT_LT(Refined.Worst, 1.14);
}

TEST(GridAccuracy, NoPublishedModelIsTypicallyCloser) {
  std::vector<Distance> All = distances(recordedGrids());
  for (size_t I = 1; I != All.size(); ++I)
    EXPECT_GT(All[I].typical(), All[0].typical()) << mixModels()[I].Name.str();
}
