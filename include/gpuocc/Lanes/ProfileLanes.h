//===- ProfileLanes.h - Evaluate a kernel for one launch --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Walks sampled warps of a launch through the control and address slice of a
/// kernel, 32 lanes at a time, with reconvergence at post-dominators, and
/// counts executions, sectors, wavefronts and divergence.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LANES_PROFILELANES_H
#define GPUOCC_LANES_PROFILELANES_H

#include "gpuocc/Kernel/CountedTurns.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/SeenReads.h"
#include "gpuocc/Support/Mechanism.h"
#include <memory>

namespace gpuocc {

/// Effort limits; the defaults suit a compiler pass.
struct LanesOptions {
  /// Warps walked for the figures, spread over the grid; all of them when the
  /// grid has no more.
  unsigned MaxWarps = 192;
  /// And where those that should behave alike do not.
  unsigned MaxDifferentWarps = 4096;
  /// Iterations walked of one loop entry; further ones are spread evenly and
  /// weighted.
  unsigned MaxIterations = 16;
  /// Evaluated operations for the figures, about; the estimate of cache hits
  /// takes as much again.
  uint64_t MaxSteps = 100'000;
  /// Look where no walked warp goes, so that what would be done there is
  /// described. It changes no figure of what warps do.
  bool DescribesUnreached = true;
  /// Counts evaluated operations, where somebody wants to know.
  uint64_t *StepsTaken = nullptr;
  /// Taken for a loop whose trip count nothing decides.
  double DefaultTripCount = 16;
  /// Taken for an integer argument that nobody supplied.
  int64_t DefaultArgument = 1 << 20;
  /// Blocks of a grid that nobody supplied, a multiple of the SM count times
  /// resident blocks.
  uint64_t DefaultGridBlocks = 1 << 14;
  /// What threads of sampled blocks of the launch read while it ran; null where
  /// it did not run. It serves launches with the same grid and block.
  std::shared_ptr<const SeenReads> Seen;
  /// The turns of loops that were counted while the launch ran, in all its
  /// blocks; null where nothing was. It serves the same launches.
  std::shared_ptr<const CountedTurns> Turns;
  /// Takes the number of loops whose trip counts are from Turns, where somebody
  /// wants to know.
  unsigned *LoopsByTurns = nullptr;
  /// What unknown values, and caches, are taken to do. assess() takes
  /// those of its Predictor, where it is given one.
  Mechanisms Used;

  /// Seen, where it serves \p L; null otherwise.
  const SeenReads *seenIn(const Launch &L) const;
  /// Turns, likewise.
  const CountedTurns *turnsIn(const Launch &L) const;
};

/// Evaluates \p Facts for \p L. Never fails: what cannot be evaluated is marked
/// in the profile with its reason, and every value that had to be assumed is in
/// ExecutionProfile::Assumptions.
ExecutionProfile profileLanes(const KernelFacts &Facts, const Launch &L,
                              const MemoryGeometry &Geometry,
                              const LanesOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_LANES_PROFILELANES_H
