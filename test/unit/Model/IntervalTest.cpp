//===- IntervalTest.cpp - How far a predicted time can be off -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Interval.h"
#include "gpuocc/Device/DerivationCheck.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuocc;

TEST(TimeInterval, OneTermIsItsFactorBothWays) {
  TimeInterval I = timeInterval(100, {{"the model", 1.25}});
  EXPECT_NEAR(I.LowNs, 80, 1e-9);
  EXPECT_NEAR(I.HighNs, 125, 1e-9);
  EXPECT_EQ(I.Coverage, 0.8);
  EXPECT_EQ(I.DependsOn, std::vector<std::string>{"the model"});
}

TEST(TimeInterval, TermsAddAsSquares) {
  // Legs of 3 and 4 make 5.
  TimeInterval I =
      timeInterval(100, {{"a", std::exp(0.3)}, {"b", std::exp(0.4)}});
  EXPECT_NEAR(I.HighNs, 100 * std::exp(0.5), 1e-9);
  EXPECT_NEAR(I.LowNs, 100 * std::exp(-0.5), 1e-9);
}

TEST(TimeInterval, WhatOnlyTakesTimeMovesTheUpperEnd) {
  TimeInterval I =
      timeInterval(100, {{"a", std::exp(0.3)}, {"b", 1, std::exp(0.4)}});
  EXPECT_NEAR(I.HighNs, 100 * std::exp(0.5), 1e-9);
  EXPECT_NEAR(I.LowNs, 100 * std::exp(-0.3), 1e-9);
}

TEST(TimeInterval, WhatNothingBoundsHasNoUpperEnd) {
  TimeInterval I = timeInterval(
      100, {{"a", std::exp(0.3)},
            {"b", std::exp(0.4), std::numeric_limits<double>::infinity()}});
  EXPECT_TRUE(std::isinf(I.HighNs));
  EXPECT_NEAR(I.LowNs, 100 * std::exp(-0.5), 1e-9);
}

TEST(TimeInterval, MoreReasonsNeverNarrowIt) {
  std::vector<IntervalTerm> Terms = {{"the model", ModelFactor}};
  double Last = timeInterval(100, Terms).HighNs;
  for (double Factor : {1.0, DerivedNumbersFactor, UnknownProbabilityFactor,
                        UnknownTripsFactor}) {
    Terms.push_back({"more", Factor});
    double High = timeInterval(100, Terms).HighNs;
    EXPECT_GE(High, Last);
    Last = High;
  }
}

TEST(TimeInterval, WithoutReasonsItIsThePoint) {
  TimeInterval I = timeInterval(100, {});
  EXPECT_EQ(I.LowNs, 100);
  EXPECT_EQ(I.HighNs, 100);
}

TEST(TimeInterval, FactorsFollowFromTheRecordedFigures) {
  double Trips = std::log(std::pow(2.5, std::log(5)));
  // What the model had of it when that was recorded: 1.22 in the mean.
  double Model = std::log(std::pow(1.22, std::log(5)));
  EXPECT_NEAR(std::exp(std::sqrt(Trips * Trips - Model * Model)),
              UnknownTripsFactor, 0.05);
  EXPECT_NEAR(guessedTripsFactor(16), 9.2, 0.05);
  EXPECT_EQ(guessedTripsFactor(0.5), 1);
  EXPECT_NEAR(std::sqrt(UnknownTripsFactor), UnknownProbabilityFactor, 0.005);
}

TEST(TimeInterval, FactorOfDerivedNumbersIsThatOfTheDatabase) {
  DeviceModel Relative = llvm::cantFail(loadDevice("nvidia-h200"));
  std::vector<DerivedNumber> All;
  for (const char *Name :
       {"nvidia-tesla-v100", "nvidia-titan-rtx", "nvidia-a100-80gb",
        "nvidia-a40", "nvidia-l40", "nvidia-gh200", "nvidia-h100-pcie"}) {
    DeviceModel Known = llvm::cantFail(loadDeviceFile(Name));
    llvm::append_range(All, llvm::cantFail(checkDerivation(Known, Relative)));
  }
  EXPECT_EQ(All.size(), 92u);
  EXPECT_NEAR(spreadOf(All).P80, DerivedNumbersFactor, 0.005);
}
