//===- FillTime.h - While the bottleneck has nothing to do yet --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_GRID_FILLTIME_H
#define GPUOCC_LIB_MODEL_GRID_FILLTIME_H

#include "Latency/WarpLatency.h"

namespace gpuocc {

/// A kernel begins with warps that have not reached its bottleneck yet and ends
/// with warps that are done with it. For that long the unit idles, and what
/// the steady throughput gives for the whole grid is exceeded.
///
/// Source: the makespan of a closed network that starts empty: the work of the
/// bottleneck and, at most, the time of one passage outside of it. Measured
/// on an H200 (Nsight Compute, cold caches, 2026-11-21): SM cycles of streams
/// of 4 to 268 MB, extrapolated to none, are 1660 (reads), 1480 (copies), 140
/// (writes).
struct FillTime {
  /// Cycles in which one warp alone goes from its start to the bottleneck, and
  /// from there to its end.
  double OutsideCycles = 0;
  /// Cycles for which one warp keeps the bottleneck busy when it goes round
  /// each loop once.
  double BusyCyclesPerPass = 0;
  /// Of what the warps of the chip keep it busy for, what the life of the first
  /// of them holds already.
  double CyclesOfFirst = 0;
  /// The bottleneck is one of the chip, not of each SM.
  bool IsShared = false;

  /// Idle cycles of the bottleneck when \p Warps start together on the fullest
  /// SM, \p ChipWarps on the average one. They queue in their first passage,
  /// even where the mean load is low.
  double cycles(double Warps, double ChipWarps) const {
    const double Busy = (IsShared ? ChipWarps : Warps) * BusyCyclesPerPass;
    return std::min(OutsideCycles, std::max(0.0, Busy - CyclesOfFirst));
  }
};

/// \p P: the prediction whose bounds are known; its first is the bottleneck.
FillTime fillTime(const KernelFacts &Facts, const ExecutionProfile &Profile,
                  const WarpLatency &Warp, const Prediction &P, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_GRID_FILLTIME_H
