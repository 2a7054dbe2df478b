//===- ShareLoop.h - Loops that several threads could share -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_SHARELOOP_H
#define GPUOCC_WHATIF_SHARELOOP_H

#include "gpuocc/WhatIf/Change.h"
#include <optional>
#include <vector>

namespace gpuocc {

/// Who takes the iterations of a thread in turns.
enum class ShareBy : uint8_t {
  /// Threads of a warp or a block, which all act for one thread then: lanes of
  /// a request are as far apart as iterations were.
  Lanes,
  /// Warps, whose lanes each act for the thread that they were.
  Warps,
  /// Threads of as many blocks, each of which is what it was.
  Blocks
};

/// A loop in which each thread goes through values of its own in any order, and
/// combines them to few, adds them to words of memory or writes as many.
struct SharedLoop {
  /// Index in KernelFacts::Loops.
  uint32_t Loop = NoIndex;
  /// The loop behind which results are combined: the same, or the one around it
  /// that does nothing else.
  uint32_t Nest = NoIndex;
  ShareBy By = ShareBy::Lanes;
  /// Values that a thread goes through, mean over threads.
  double Values = 0;
  /// How many results they are combined to; may be none.
  unsigned Results = 0;
  /// What combines two of them.
  InstClass Combine = {};
  /// Each iteration writes what was combined up to it: a running sum.
  bool IsRunning = false;
  /// Iterations find something or not, which ends the loop: lanes vote.
  bool IsSearch = false;
  /// Bytes from an iteration to the next, by access; nothing for accesses
  /// outside the loop, and where data decides.
  std::vector<std::optional<int64_t>> StepBytes;
};

/// Loop \p Index of \p V; nothing where threads work together, where iterations
/// depend on each other in another way or write words that are not their own,
/// where they write and end by what they load, where steps are not known, where
/// a loop around it does anything else, or where there are fewer iterations
/// than a few lanes. Lanes of one warp may share a search: a loop that writes
/// and combines nothing. Warps may share loops of unknown steps that store
/// nothing, blocks those that combine nothing, or whose results the threads of
/// a block combine behind the only loop that reaches global memory.
std::optional<SharedLoop> sharedLoop(const KernelVariant &V, uint32_t Index,
                                     ShareBy By = ShareBy::Lanes);

/// \p Sharers threads, whole warps of a block or 4, 8 or 16 lanes of a warp, do
/// what one thread did, or as many warps or blocks what one did, as \p Loops
/// say alike: they take the iterations of each loop in turns and combine their
/// results, by shuffles or in shared memory. One of them goes on. The grid
/// grows along x; blocks that were smaller than a warp grow themselves where
/// threads share.
Change shareLoops(std::vector<SharedLoop> Loops, unsigned Sharers);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_SHARELOOP_H
