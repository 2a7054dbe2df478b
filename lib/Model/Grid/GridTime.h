//===- GridTime.h - Time of a whole grid ------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_GRID_GRIDTIME_H
#define GPUOCC_LIB_MODEL_GRID_GRIDTIME_H

#include "Grid/FillTime.h"
#include "Throughput/Saturation.h"

namespace gpuocc {

/// Blocks, and how they fit on the chip.
struct GridShape {
  double Blocks = 1;
  unsigned WarpsPerBlock = 1;
  unsigned BlocksPerSm = 1;
  /// Blocks that the chip holds at a time: residentBlocks().
  double PerWave = 1;
  /// Blocks on the fullest SM for each that SMs hold in the mean, where all are
  /// resident at once.
  double OnFullestSm = 1;
};

/// Throughput of the blocks of a wave.
struct WaveThroughput {
  /// Others replace them when they end.
  const Saturation &Replaced;
  /// They replace others besides, so that their loads come in bursts.
  const Saturation &Replacing;
  /// The last ones: nothing is waited for behind them.
  const Saturation &Last;
};

/// Time of a grid: full waves of blocks at full occupancy, then what is left at
/// the occupancy it gives, plus the launch and the time in which the bottleneck
/// idles at both ends. What the first blocks queue for is in \p Fill.
TimeEstimate gridTime(const GridShape &Grid, const WaveThroughput &Throughput,
                      const FillTime &Fill, Numbers &N);

/// Mean warps per SM while the grid runs.
double activeWarpsPerSm(const GridShape &Grid, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_GRID_GRIDTIME_H
