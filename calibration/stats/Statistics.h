//===- Statistics.h - Means, intervals, outliers, fits ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pure functions from samples to the numbers that go into the database.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_STATS_STATISTICS_H
#define GPUOCC_CALIBRATION_STATS_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace gpuocc::calibration {

/// What a set of samples says. All fields are 0 for no finite samples.
struct Summary {
  size_t Samples = 0;  ///< Finite samples, outliers included.
  size_t Outliers = 0; ///< Samples left out of Mean and HalfWidth95.
  double Mean = 0;
  double Minimum = 0;
  double Median = 0;
  double HalfWidth95 = 0; ///< Of the mean; 0 for fewer than two samples.
  bool Stable = false;    ///< See summarize().

  /// HalfWidth95 over |Mean|; 0 when the mean is 0.
  double spread() const;
};

/// Largest relative half width of a stable mean, and largest share of outliers.
inline constexpr double StableSpread = 0.01;
inline constexpr double StableOutlierShare = 0.1;

/// Summarizes \p Samples. NaN and infinity are dropped. A sample is an outlier
/// when it lies further from the median than 5 scaled median absolute
/// deviations and than 2 % of the median. Stable means: at least two samples, a
/// spread of at most StableSpread and at most StableOutlierShare outliers.
///
/// Interval: Student's t, two-sided 95 %. Source: Lemeire et al., which asks
/// for 25 repeats and 95 % intervals.
Summary summarize(llvm::ArrayRef<double> Samples);

/// Two-sided 95 % quantile of Student's t for \p Degrees of freedom (>= 1).
double studentT95(size_t Degrees);

/// The value below which \p Fraction (0 to 1) of \p Samples lie, with linear
/// interpolation; nothing for no samples.
std::optional<double> percentile(llvm::ArrayRef<double> Samples,
                                 double Fraction);

/// The straight line y = Intercept + Slope x of least squares.
struct Line {
  double Intercept = 0, Slope = 0;
};
/// Nothing for fewer than two distinct x.
std::optional<Line> fitLine(llvm::ArrayRef<std::pair<double, double>> Points);

/// Mean latency under load: a + b x / (c - x), x the throughput.
/// Source: Volkov 2016, section 6.4.
struct Contention {
  double A = 0, B = 0, C = 0;
  double Residual = 0; ///< Root mean square error of the latency.

  double latency(double Throughput) const {
    return A + B * Throughput / (C - Throughput);
  }
};
/// Throughput at which \p Concurrency (throughput times latency) is in flight,
/// by Little's law: the root of x (a + b x / (c - x)) = Concurrency below c.
double throughputAt(const Contention &Fit, double Concurrency);

/// Fits (throughput, latency) points. What an experiment sets is how much is in
/// flight, so the error of a point is that of the latency predicted at its
/// concurrency, relative; near saturation the latency at a given throughput
/// says little. Nothing for fewer than four points.
std::optional<Contention>
fitContention(llvm::ArrayRef<std::pair<double, double>> Points);

/// Fewest warps, interpolated between the measured points, that reach
/// \p Share of \p Peak. Points are (warps, throughput), sorted by warps.
std::optional<double>
ridgePoint(llvm::ArrayRef<std::pair<double, double>> Points, double Peak,
           double Share = 0.95);

/// Index of the first sample after the largest step of \p Values: the split
/// that minimizes the squared deviation from the two means. Nothing when the
/// step is smaller than \p MinRelativeStep of the lower mean.
std::optional<size_t> changePoint(llvm::ArrayRef<double> Values,
                                  double MinRelativeStep = 0.1);

/// Index of the last of \p Latencies, sorted by footprint, that is less than
/// half as long again as the median of the first \p SurelyFit: the walks that
/// fit a cache. Nothing when all do.
std::optional<size_t> lastFit(llvm::ArrayRef<double> Latencies,
                              size_t SurelyFit);

/// Whether the clock moved during the launches whose rates are \p CyclesPerNs.
///
/// Heuristic: at least 8 launches, the middle 80 % of which are further apart
/// than 3 % of their median. The global timer alone makes single launches of
/// 100 us differ by 1 % to 4 %: a few outliers are no moving clock.
bool clockMoved(llvm::ArrayRef<double> CyclesPerNs);

/// Relative width (max - min) / median of clock rates, each from cycles and
/// nanoseconds of one run: how far the clock moved while it was measured.
double clockDrift(llvm::ArrayRef<double> CyclesPerNs);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_STATS_STATISTICS_H
