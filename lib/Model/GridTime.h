//===- GridTime.h - Time of a whole grid ------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_GRIDTIME_H
#define GPUOCC_LIB_MODEL_GRIDTIME_H

#include "FillTime.h"
#include "Saturation.h"

namespace gpuocc {

/// Blocks, and how they fit on the chip.
struct GridShape {
  double Blocks = 1;
  unsigned WarpsPerBlock = 1;
  unsigned BlocksPerSm = 1;
};

/// Time of a grid: full waves of blocks at full occupancy, then what is left at
/// the occupancy it gives, plus the launch and the time in which the bottleneck
/// idles at both ends. \p Replacing is the throughput of blocks that replace
/// others; what the first ones queue for is in \p Fill.
TimeEstimate gridTime(const GridShape &Grid, const Saturation &Throughput,
                      const Saturation &Replacing, const FillTime &Fill,
                      Numbers &N);

/// Mean warps per SM while the grid runs.
double activeWarpsPerSm(const GridShape &Grid, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_GRIDTIME_H
