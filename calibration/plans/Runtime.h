//===- Runtime.h - Parts of the plan of the runtime -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_RUNTIME_H
#define GPUOCC_CALIBRATION_PLANS_RUNTIME_H

#include "Session.h"
#include <chrono>

namespace gpuocc::calibration {

using HostClock = std::chrono::steady_clock;

inline double nsSince(HostClock::time_point Start) {
  return std::chrono::duration<double, std::nano>(HostClock::now() - Start)
      .count();
}

/// Barriers of a block and of an SM full of blocks.
llvm::Error measureBarriers(Session &S);

/// Branches that all, none or some lanes take.
llvm::Error measureBranches(Session &S);

/// How many of the first blocks of a grid the fullest SM gets.
llvm::Error measureFirstBlocks(Session &S);

/// Copies of pageable memory, and of 4 bytes; copies of pinned memory.
llvm::Error measurePageableCopies(Session &S);
llvm::Error measurePinnedCopies(Session &S);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_RUNTIME_H
