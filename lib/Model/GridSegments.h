//===- GridSegments.h - Blocks of a grid that do unlike work ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_GRIDSEGMENTS_H
#define GPUOCC_LIB_MODEL_GRIDSEGMENTS_H

#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// Blocks of a grid whose warps do about the same work.
struct GridSegment {
  /// Share of the blocks of the grid.
  double BlockFraction = 1;
  /// Mean over the warps of these blocks, and over the blocks of the warp that
  /// works most: a block keeps its place until that warp has ended.
  ExecutionProfile Mean, Slowest;
  /// Instructions of the slowest warp of the heaviest of these blocks, over
  /// those of Slowest: at least 1.
  double HeaviestOverSlowest = 1;
  /// Instructions of the scheduler that gets most, over the mean of the
  /// schedulers: warps of a block go to them in turn, so that blocks whose
  /// number of warps is a multiple of the schedulers have the same places on
  /// the same ones (seen on an H200: a kernel whose four warps per block work
  /// 4 : 3 : 2 : 1 takes as long as its first warps on one scheduler).
  double FullestScheduler = 1;
};

/// Splits the samples of \p Profile into segments, heaviest work first; one
/// segment when blocks are alike.
std::vector<GridSegment> gridSegments(const KernelFacts &Facts,
                                      const ExecutionProfile &Profile,
                                      unsigned WarpsPerBlock);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_GRIDSEGMENTS_H
