//===- GridSegments.h - Blocks of a grid that do unlike work ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_GRID_GRIDSEGMENTS_H
#define GPUOCC_LIB_MODEL_GRID_GRIDSEGMENTS_H

#include "Latency/WarpKind.h"

namespace gpuocc {

/// Blocks of a grid whose warps do about the same work.
struct GridSegment {
  /// Share of the blocks of the grid.
  double BlockFraction = 1;
  /// Mean over the warps of these blocks, and over the blocks of the warp that
  /// works most: a block keeps its place until that warp has ended.
  ExecutionProfile Mean;
  WarpKind Slowest;
  /// Of kernels with barriers: other warps of these blocks that do something
  /// more often than the slowest one, such as those that fetch what the others
  /// work on.
  std::vector<WarpKind> OtherKinds = {};
  /// Instructions of the slowest warp of the heaviest of these blocks, over
  /// those of Slowest: at least 1.
  double HeaviestOverSlowest = 1;
  /// Instructions by the turn of their warps: warps of a block whose numbers
  /// leave that remainder.
  std::array<double, WarpSample::NumTurns> WorkOfTurn = {};

  /// Instructions of the scheduler that gets most, over what it would get if
  /// all warps had the same, where \p Blocks blocks of \p WarpsPerBlock warps
  /// run on an SM. Warps go to the schedulers in turn. Each block begins where
  /// the one before it ended, or one scheduler further if it has a multiple of
  /// their number.
  ///
  /// Source: %warpid of the warps of up to eight blocks of 1 to 16 warps, H100,
  /// 2026-11-25. A loop in the first warp of eight blocks of two or six warps
  /// takes as long as four of them on one scheduler (77.7 us; one: 53.3 us), of
  /// four or eight warps as two do (54.3 us).
  double fullestScheduler(unsigned WarpsPerBlock, unsigned Blocks) const;
};

/// Splits the samples of \p Profile into segments, heaviest work first; one
/// segment when blocks are alike. \p Used: SlowestWarp is asked for.
std::vector<GridSegment> gridSegments(const KernelFacts &Facts,
                                      const ExecutionProfile &Profile,
                                      unsigned WarpsPerBlock,
                                      const Mechanisms &Used = {});

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_GRID_GRIDSEGMENTS_H
