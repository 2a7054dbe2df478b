//===- RandomTime.cpp - Points in time that vary --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/RandomTime.h"
#include <algorithm>
#include <cmath>
#include <numbers>

using namespace gpuocc;

/// Probability that a standard normal variable is below \p X.
static double normalBelow(double X) {
  return 0.5 * std::erfc(-X / std::numbers::sqrt2);
}

static double normalDensity(double X) {
  return std::exp(-X * X / 2) / std::sqrt(2 * std::numbers::pi);
}

RandomTime gpuocc::laterOf(const RandomTime &A, const RandomTime &B) {
  double Variance = A.VarianceCycles2 + B.VarianceCycles2;
  double Ahead = A.MeanCycles - B.MeanCycles;
  // Five deviations apart the two do not overlap.
  if (Ahead * Ahead >= 25 * Variance)
    return Ahead >= 0 ? A : B;
  double Spread = std::sqrt(Variance);
  double Alpha = Ahead / Spread;
  double First = normalBelow(Alpha), Second = 1 - First;
  double Overlap = Spread * normalDensity(Alpha);
  // Relative to B, so that late times lose no digits.
  double Mean = Ahead * First + Overlap;
  double Square = (Ahead * Ahead + A.VarianceCycles2) * First +
                  B.VarianceCycles2 * Second + Ahead * Overlap;
  return {B.MeanCycles + Mean, std::max(0.0, Square - Mean * Mean)};
}

double gpuocc::expectedGreatest(double Count) {
  if (Count <= 1)
    return 0;
  // The integral of x d(F(x)^Count), with F the normal distribution.
  constexpr double Reach = 8, Step = 1.0 / 64;
  double Mean = 0, Before = 0;
  for (double X = -Reach; X < Reach; X += Step) {
    double Below = std::pow(normalBelow(X + Step), Count);
    Mean += (X + Step / 2) * (Below - Before);
    Before = Below;
  }
  return Mean;
}
