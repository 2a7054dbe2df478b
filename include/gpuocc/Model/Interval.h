//===- Interval.h - How far a predicted time can be off ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interval around a predicted time, from the recorded errors of launches
/// of the same kind. docs/model.md has the figures that the factors come from.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_INTERVAL_H
#define GPUOCC_MODEL_INTERVAL_H

#include "gpuocc/Model/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cmath>

namespace gpuocc {

/// A reason for a time to be off, and the factors within which 80 % of the
/// times are where it is the only one.
struct IntervalTerm {
  IntervalTerm(std::string Why, double Factor)
      : Why(std::move(Why)), Faster(Factor), Slower(Factor) {}
  IntervalTerm(std::string Why, double Faster, double Slower)
      : Why(std::move(Why)), Faster(Faster), Slower(Slower) {}

  std::string Why;
  /// At least 1. Infinity where nothing bounds how much longer it takes.
  double Faster, Slower;
};

/// The share of launches whose time lies within the interval.
inline constexpr double IntervalCoverage = 0.8;

/// Launches of kernels that nobody chose and whose interval rests on the model
/// alone: 14 of 18 of a draw that was opened after the model was done
/// (test/golden/drawn-h200-3) are within it, and more in sets that were known.
inline constexpr double ModelFactor = 1.2;

/// The other launches of test/golden/random-kernels, with data from host code:
/// 2.5 in the geometric mean, 2.5^(ln 5) = 4.4, of which the model has its
/// factor. Unknown trip counts.
inline constexpr double UnknownTripsFactor = 4.2;

/// Heuristic: trip counts that are taken to be \p Trips, mostly 16, downward:
/// 80 % of those whose logarithm is anything from 0 to ln(Trips) are within
/// Trips^0.8.
inline double guessedTripsFactor(double Trips) {
  return std::pow(std::max(1.0, Trips), 0.8);
}

/// Heuristic: branches that data decide, the square root of the factor of trip
/// counts: no record tells them apart, and a branch decides at most what it
/// guards.
inline constexpr double UnknownProbabilityFactor = 2.05;

/// Blocks that differ and of which not all were walked: 80 % of a normal
/// distribution are within 1.28 standard errors, \p StandardError of the work.
inline double sampledFactor(double StandardError) {
  return std::exp(1.28 * StandardError);
}

/// Heuristic: threads that meet at compare-and-swaps which they may give up,
/// those of the first wave with one try each. A maximum of 262,144 and
/// 1,048,576 threads over 16 to 65536 words took 1 to 2.1 times what is
/// predicted where the numbers are random or fall, 1.1 to 7.2 times where they
/// rise (H100, calibration/results/nvidia-h100/2026-11-27T0212/atomics.csv,
/// swap-loop).
inline constexpr double OpenSwapsFactor = 7.2;

/// Atomics of warps that pass over the same words in step: the largest error of
/// 18 sweeps over 1024 and 2048 words on an H100, of which 80 % are within 1.3
/// (calibration/results/nvidia-h100/2026-11-27T0212/atomics.csv). All of them
/// are of one wave; more waves may lie further apart.
inline constexpr double SweepsInStepFactor = 1.95;

/// Heuristic: tables that exceed the constant cache. Turns of lanes and lines
/// that the cache lacks are added; if they overlapped, the launch took half the
/// time at best. How fast the lines come is taken from the instruction cache.
inline constexpr double OverlappedConstantsFactor = 2;

/// Heuristic: textures, whose elements are taken to have 4 bytes, where most
/// have 2 to 8.
inline constexpr double TexelFactor = 2;

/// Heuristic: bulk copies of which neither code nor barrier says the bytes.
/// 8192 are taken, 1 KB to 64 KB are common.
inline constexpr double CopyBytesFactor = 8;

/// Heuristic: spilled registers, of which ptxas says how many bytes are stored
/// and loaded in the code, not where. 40 values in 32 registers in a loop of 64
/// turns took 2.35 times as long as where the imitation of ptxas has placed
/// them (H200, test/golden/cures, `spilledbounds`).
inline constexpr double SpillPlacesFactor = 2.35;

/// 92 published numbers of seven devices beside what their data sheets and
/// nvidia-h200 give (`device derive`): 80 % are within this factor. A unit test
/// computes it anew.
inline constexpr double DerivedNumbersFactor = 1.28;

/// Numbers that are borrowed and shift a time by no more are no reason.
inline constexpr double NamedBorrowedFactor = 1.01;

/// The interval of \p Ns, more than 0, under independent \p Terms: logarithms
/// of their factors add as squares.
///
///   factor = exp(sqrt(sum of ln(f)^2)); [Ns / factor, Ns * factor]
///
/// Each end has factors of its own.
TimeInterval timeInterval(double Ns, llvm::ArrayRef<IntervalTerm> Terms);

} // namespace gpuocc

#endif // GPUOCC_MODEL_INTERVAL_H
