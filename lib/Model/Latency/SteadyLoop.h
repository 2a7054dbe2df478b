//===- SteadyLoop.h - The loop in which a warp spends its time --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_STEADYLOOP_H
#define GPUOCC_LIB_MODEL_LATENCY_STEADYLOOP_H

#include "Latency/LoopTurns.h"
#include "gpuocc/Support/InstClass.h"
#include <optional>
#include <vector>

namespace gpuocc {

class Numbers;
struct WarpCode;

/// A loop of straight code that waits for neither L2, DRAM nor other warps.
struct SteadyLoop {
  /// One pass, in the order of issue: several iterations where the loop is
  /// unrolled.
  std::vector<LoopInstruction> Body;
  double PassesPerWarp = 0;
  /// Of an SM, which share a stage of shared memory.
  unsigned Schedulers = 1;
  bool AreInStep = true;
  /// Cycles that one pass keeps the scheduler, and each pipe, from others.
  double IssueCycles = 0;
  PerResource<double> PipeCycles = {};
};

/// The steady loop of \p Code that issues most, if there is any.
std::optional<SteadyLoop> busiestSteadyLoop(const WarpCode &Code, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_STEADYLOOP_H
