//===- IssueQueue.h - What a scheduler issues ahead of a pipe --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pure functions from the clocks of warps that issue instructions in a row to
/// the queue between scheduler and pipe.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_STATS_ISSUEQUEUE_H
#define GPUOCC_CALIBRATION_STATS_ISSUEQUEUE_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace gpuocc::calibration {

struct IssueQueue {
  double Entries = 0; ///< Issued instructions that the pipe is not done with.
  double DelayCycles = 0; ///< From issue until an idle pipe takes it.
};

/// The queue of a scheduler whose warps issue one instruction each and read the
/// clock then. \p Ends are these clocks; the pipe takes an instruction every
/// \p PipeCycles. What fits into the queue issues at once. The next warp waits
/// until the pipe is done with the first instruction. Nothing where no warp
/// waits.
std::optional<IssueQueue> queueOfOneEach(std::vector<double> Ends,
                                         double PipeCycles);

/// A burst of \p Accesses of all warps of an SM, each of which the pipe works
/// on for \p PipeCycles: the last one was issued \p Cycles after the first.
struct Burst {
  double PipeCycles = 0;
  double Accesses = 0;
  double Cycles = 0;
};

/// The queue, of all schedulers together, behind which bursts issue: the last
/// access when the pipe is done with all but as many as the queue holds,
///
///   Cycles = Delay + (Accesses - Entries) PipeCycles
///
/// by least squares of Accesses - Cycles / PipeCycles over 1 / PipeCycles.
/// Nothing for fewer than two kinds of bursts.
std::optional<IssueQueue> queueOfBursts(llvm::ArrayRef<Burst> Bursts);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_STATS_ISSUEQUEUE_H
