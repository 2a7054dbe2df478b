//===- WarpCode.h - What one warp executes ----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_WARPCODE_H
#define GPUOCC_LIB_MODEL_LATENCY_WARPCODE_H

#include "Latency/InstructionFetch.h"
#include "Latency/LatencyGraph.h"
#include "Latency/LoopTree.h"
#include "Latency/WarpSchedule.h"

namespace gpuocc {

class Numbers;
struct ExecutionProfile;

/// The code of a kernel, ready to be walked by one warp. Refers to the facts
/// and the profile that it is made of.
struct WarpCode {
  /// \p MostExecutions: of each block of code, by the warp of the block that
  /// executes it most. \p WarpsAlike: its warps that vary as this one does.
  WarpCode(const KernelFacts &Facts, const ExecutionProfile &Profile,
           std::vector<double> MostExecutions, double WarpsAlike,
           unsigned WarpsPerBlock, Numbers &N);

  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  std::vector<double> MostExecutions;
  InstructionFetch Fetch;
  LatencyGraph Graph;
  WarpSchedule Schedule;
  LoopTree Loops;
  /// Deviations by which the last warp of a block is behind their mean.
  double LastOfBlock;
  double WarpsPerBlock, Schedulers;

  /// Warps of the block that share a scheduler; less than one where some have
  /// none.
  double warpsOfScheduler() const { return WarpsPerBlock / Schedulers; }
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_WARPCODE_H
