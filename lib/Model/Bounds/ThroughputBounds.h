//===- ThroughputBounds.h - The worksheet of one launch ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BOUNDS_THROUGHPUTBOUNDS_H
#define GPUOCC_LIB_MODEL_BOUNDS_THROUGHPUTBOUNDS_H

#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Model/PredictDetail.h"
#include "gpuocc/Model/Worksheet.h"

namespace gpuocc {

/// Warp instructions per warp by class, most frequent first.
std::vector<ClassCount> instructionMix(const KernelFacts &Facts,
                                       const ExecutionProfile &Profile);

/// Cycles per warp for which hardware counters see each unit busy, which is
/// less than its bound where a unit gives less than its peak.
///
/// Source: Nsight Compute 2025.3 on an H200. DRAM counts bytes against the
/// pins. L2 counts what comes in from the SMs (requests, and the data of
/// stores) apart from what it reads, and the lanes of atomics not at all.
/// Starting blocks and barriers have no counter.
using CountedCycles = PerResource<double>;

/// What bounds the warps of a kernel, in cycles per warp.
struct ThroughputCycles {
  CountedCycles Counted;
  /// Of L2 and DRAM, for an SM that has the chip to itself; 0 for what an SM
  /// has of its own. Reads and atomics get as much more of them as loads of one
  /// SM do. Stores leave an SM sector by sector, in that much less than their
  /// share of what L2 takes in while all SMs store.
  PerResource<double> OneSm;
};

/// Fills Bounds and the traffic of \p P from its Mix: one bound for each
/// resource that \p Profile uses, with \p WarpsPerBlock for what a block costs
/// once, while an SM holds \p WarpsPerSm. \p IssuedTogether of the instructions
/// need no slot of the scheduler.
/// Source: Volkov 2016, section 3.6.
ThroughputCycles
fillThroughputBounds(const KernelFacts &Facts, const ExecutionProfile &Profile,
                     const PerInstClass<double> &IssuedTogether,
                     unsigned WarpsPerBlock, double WarpsPerSm, Numbers &N,
                     Prediction &P, PredictDetail Detail = PredictDetail::Full);

/// Adds to the bounds of \p P that each scheduler has for itself what the
/// fullest one takes longer: \p FullestScheduler times the mean
/// (GridSegment::fullestScheduler).
void addIdleSchedulers(double FullestScheduler, Prediction &P);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_THROUGHPUTBOUNDS_H
