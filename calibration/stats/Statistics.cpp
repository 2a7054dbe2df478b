//===- Statistics.cpp - Means, intervals, outliers, fits ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

double Summary::spread() const {
  return Mean == 0 ? 0 : HalfWidth95 / std::fabs(Mean);
}

double studentT95(size_t Degrees) {
  static constexpr double Table[] = {
      12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
      2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
      2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  if (Degrees == 0)
    return Table[0];
  return Degrees <= std::size(Table) ? Table[Degrees - 1] : 1.96;
}

/// Samples without NaN and infinity, in increasing order.
static std::vector<double> sortedFinite(ArrayRef<double> Samples) {
  std::vector<double> Finite;
  copy_if(Samples, std::back_inserter(Finite),
          [](double X) { return std::isfinite(X); });
  llvm::sort(Finite);
  return Finite;
}

static double percentileOfSorted(ArrayRef<double> Sorted, double Fraction) {
  double At = Fraction * (Sorted.size() - 1);
  size_t Below = size_t(At);
  if (Below + 1 >= Sorted.size())
    return Sorted.back();
  double Rest = At - Below;
  return Sorted[Below] * (1 - Rest) + Sorted[Below + 1] * Rest;
}

std::optional<double> percentile(ArrayRef<double> Samples, double Fraction) {
  std::vector<double> Sorted = sortedFinite(Samples);
  if (Sorted.empty())
    return std::nullopt;
  return percentileOfSorted(Sorted, Fraction);
}

Summary summarize(ArrayRef<double> Samples) {
  Summary S;
  std::vector<double> Sorted = sortedFinite(Samples);
  S.Samples = Sorted.size();
  if (Sorted.empty())
    return S;
  S.Minimum = Sorted.front();
  S.Median = percentileOfSorted(Sorted, 0.5);

  std::vector<double> Deviations;
  for (double X : Sorted)
    Deviations.push_back(std::fabs(X - S.Median));
  llvm::sort(Deviations);
  // 1.4826 makes the median absolute deviation of a normal distribution its
  // standard deviation.
  double Limit = std::max(5 * 1.4826 * percentileOfSorted(Deviations, 0.5),
                          0.02 * std::fabs(S.Median));
  std::vector<double> Kept;
  copy_if(Sorted, std::back_inserter(Kept),
          [&](double X) { return std::fabs(X - S.Median) <= Limit; });
  S.Outliers = Sorted.size() - Kept.size();

  double Sum = 0;
  for (double X : Kept)
    Sum += X;
  S.Mean = Sum / Kept.size();
  if (Kept.size() > 1) {
    double Squares = 0;
    for (double X : Kept)
      Squares += (X - S.Mean) * (X - S.Mean);
    double Deviation = std::sqrt(Squares / (Kept.size() - 1));
    S.HalfWidth95 =
        studentT95(Kept.size() - 1) * Deviation / std::sqrt(Kept.size());
  }
  S.Stable = S.Samples > 1 && S.spread() <= StableSpread &&
             S.Outliers <= StableOutlierShare * S.Samples;
  return S;
}

std::optional<Line> fitLine(ArrayRef<std::pair<double, double>> Points) {
  double N = Points.size(), X = 0, Y = 0, XX = 0, XY = 0;
  for (auto [PX, PY] : Points) {
    X += PX;
    Y += PY;
    XX += PX * PX;
    XY += PX * PY;
  }
  double Determinant = N * XX - X * X;
  if (Points.size() < 2 || std::fabs(Determinant) < 1e-12 * N * XX)
    return std::nullopt;
  Line L;
  L.Slope = (N * XY - X * Y) / Determinant;
  L.Intercept = (Y - L.Slope * X) / N;
  return L;
}

double throughputAt(const Contention &Fit, double Concurrency) {
  // (b - a) x^2 + (a c + K) x - K c = 0; the root between 0 and c, written so
  // that it holds for b = a as well.
  double P = Fit.B - Fit.A, Q = Fit.A * Fit.C + Concurrency;
  double R = Concurrency * Fit.C;
  return 2 * R / (Q + std::sqrt(Q * Q + 4 * P * R));
}

/// Sum of squares of the relative error of latency at each concurrency.
static double contentionError(const Contention &Fit,
                              ArrayRef<std::pair<double, double>> Points) {
  if (Fit.A <= 0 || Fit.B < 0 || Fit.C <= 0)
    return INFINITY;
  double Squares = 0;
  for (auto [X, L] : Points) {
    double Error = X * L / throughputAt(Fit, X * L) / L - 1;
    Squares += Error * Error;
  }
  return Squares;
}

std::optional<Contention>
fitContention(ArrayRef<std::pair<double, double>> Points) {
  if (Points.size() < 4)
    return std::nullopt;
  Contention Best;
  Best.A = INFINITY;
  for (auto [X, L] : Points) {
    Best.A = std::min(Best.A, L);
    Best.C = std::max(Best.C, X);
  }
  Best.B = Best.A / 20;
  Best.C *= 1.01;
  double Error = contentionError(Best, Points);
  // Coordinate search: steps that shrink whenever none of them helps.
  for (double Step = 0.2; Step > 1e-6;) {
    bool Improved = false;
    for (double Contention::*Member :
         {&Contention::A, &Contention::B, &Contention::C})
      for (double Factor : {1 + Step, 1 / (1 + Step)}) {
        Contention Try = Best;
        Try.*Member *= Factor;
        double TryError = contentionError(Try, Points);
        if (TryError < Error) {
          Best = Try;
          Error = TryError;
          Improved = true;
        }
      }
    if (!Improved)
      Step /= 2;
  }
  double Squares = 0;
  for (auto [X, L] : Points) {
    double Off = X * L / throughputAt(Best, X * L) - L;
    Squares += Off * Off;
  }
  Best.Residual = std::sqrt(Squares / Points.size());
  return Best;
}

std::optional<double> ridgePoint(ArrayRef<std::pair<double, double>> Points,
                                 double Peak, double Share) {
  double Target = Peak * Share;
  for (size_t I = 0; I < Points.size(); ++I) {
    auto [Warps, Throughput] = Points[I];
    if (Throughput < Target)
      continue;
    if (I == 0)
      return Warps;
    auto [WarpsBefore, Before] = Points[I - 1];
    return WarpsBefore +
           (Warps - WarpsBefore) * (Target - Before) / (Throughput - Before);
  }
  return std::nullopt;
}

std::optional<size_t> changePoint(ArrayRef<double> Values,
                                  double MinRelativeStep) {
  if (Values.size() < 2)
    return std::nullopt;
  size_t Best = 0;
  double BestGain = -1, BestBefore = 0, BestAfter = 0, Total = 0;
  for (double V : Values)
    Total += V;
  double Sum = 0;
  for (size_t I = 1; I < Values.size(); ++I) {
    Sum += Values[I - 1];
    double Before = Sum / I, After = (Total - Sum) / (Values.size() - I);
    double Gain =
        double(I) * (Values.size() - I) * (After - Before) * (After - Before);
    if (Gain > BestGain) {
      BestGain = Gain;
      Best = I;
      BestBefore = Before;
      BestAfter = After;
    }
  }
  double Lower = std::min(std::fabs(BestBefore), std::fabs(BestAfter));
  if (std::fabs(BestAfter - BestBefore) < MinRelativeStep * Lower)
    return std::nullopt;
  return Best;
}

std::optional<size_t> lastFit(ArrayRef<double> Latencies, size_t SurelyFit) {
  if (SurelyFit == 0 || Latencies.size() <= SurelyFit)
    return std::nullopt;
  double Hit = summarize(Latencies.take_front(SurelyFit)).Median;
  for (size_t I = Latencies.size(); I-- > 0;)
    if (Latencies[I] < 1.5 * Hit)
      return I + 1 < Latencies.size() ? std::optional(I) : std::nullopt;
  return std::nullopt;
}

bool clockMoved(ArrayRef<double> CyclesPerNs) {
  static constexpr size_t FewestLaunches = 8;
  static constexpr double Tolerance = 0.03;
  std::vector<double> Sorted = sortedFinite(CyclesPerNs);
  if (Sorted.size() < FewestLaunches)
    return false;
  double Width =
      percentileOfSorted(Sorted, 0.9) - percentileOfSorted(Sorted, 0.1);
  return Width > Tolerance * percentileOfSorted(Sorted, 0.5);
}

double clockDrift(ArrayRef<double> CyclesPerNs) {
  std::vector<double> Sorted = sortedFinite(CyclesPerNs);
  if (Sorted.size() < 2)
    return 0;
  double Median = percentileOfSorted(Sorted, 0.5);
  return Median == 0 ? 0 : (Sorted.back() - Sorted.front()) / Median;
}

} // namespace gpuocc::calibration
