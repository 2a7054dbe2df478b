//===- Saturation.h - Throughput over occupancy -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_SATURATION_H
#define GPUOCC_LIB_MODEL_SATURATION_H

#include "WarpLatency.h"
#include <functional>

namespace gpuocc {

/// Latency of one warp as a function of the delays that load adds, sampled once
/// so that solving costs nothing.
class LoadedLatency {
public:
  explicit LoadedLatency(const WarpLatency &Warp);

  double cycles(const MemoryDelay &Delay) const;
  double unloaded() const { return Unloaded; }

private:
  static constexpr unsigned NumSamples = 7;
  static double sampleDelay(unsigned I);
  static double interpolate(const double (&Values)[NumSamples], double Delay);

  double Unloaded = 0;
  /// Extra warp cycles at sampleDelay(i).
  double OfL2[NumSamples] = {}, OfDram[NumSamples] = {};
};

/// Warp throughput of an SM at any occupancy.
class Saturation {
public:
  Saturation(const LoadedLatency &Latency, const Prediction &P,
             double ReplacementCycles, Numbers &N);

  /// Warps per cycle and SM with \p Warps resident, when the average SM of the
  /// chip holds \p ChipWarps (the same when negative): the fixed point of
  /// x = min(warps / latency(x), bound).
  ///
  /// Source: Volkov 2016, sections 3.5 and 6.5.
  double warpsPerCycle(double Warps, double ChipWarps = -1) const;

  /// Mean warp latency at that throughput without queueing at the bound.
  double latencyAt(double WarpsPerCycle) const;

  double bound() const { return Bound; }

  /// Fewest warps that reach \p Fraction of the bound.
  double neededWarps(double Fraction) const;

private:
  const LoadedLatency &Latency;
  double Bound, ReplacementCycles;
  double L2BytesPerWarp, DramBytesPerWarp;
  ContentionFit L2Fit, DramFit;
  bool HasL2Fit = false, HasDramFit = false;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_SATURATION_H
