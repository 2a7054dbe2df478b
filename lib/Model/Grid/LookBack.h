//===- LookBack.h - Blocks that wait for those before them ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_GRID_LOOKBACK_H
#define GPUOCC_LIB_MODEL_GRID_LOOKBACK_H

#include "Grid/GridSegments.h"
#include "Grid/GridTime.h"
#include <optional>

namespace gpuocc {

/// A block of a decoupled look-back: it publishes what it has summed up, looks
/// at what the Window blocks before it have published, then at those before
/// these, until it meets one that knows the sum of all before it, and publishes
/// that.
struct LookBack {
  unsigned Window = 1;
  /// Cycles of a look: from its loads to those of the next one.
  double LookCycles = 0;
  /// Cycles of a block alone, up to its first look and from its last one on.
  double BeforeCycles = 0, BehindCycles = 0;
};

/// The look-back of the blocks of \p Segment, of which one takes \p BlockCycles
/// alone; nothing where they do not look back, or each more than once.
std::optional<LookBack> lookBackOf(const KernelFacts &Facts,
                                   const GridSegment &Segment,
                                   unsigned WarpsPerBlock, double BlockCycles,
                                   Numbers &N);

/// How blocks of a look-back follow each other.
struct LookBackGrid {
  double Blocks = 1;
  /// Blocks that the chip holds at a time.
  double Slots = 1;
  /// Cycles between two starts of blocks, and between two blocks at the busiest
  /// unit, of all SMs together.
  double StartCycles = 0, ServiceCycles = 0;
};

/// Cycles by which a grid takes longer than if each block met a sum of all
/// before it at its first look.
///
/// The blocks that start together all find sums of single blocks: if those up
/// to f(s - 1) have met a sum of all after s - 1 looks, a block reaches s w
/// blocks back with its next one, so that f(s) = f(s - 1) + s w, and the last
/// of n blocks takes sqrt(2 n / w) looks. Behind them it is those that start
/// during a look. Both follow from letting the blocks run one after the other,
/// each through the busiest unit, with what the others have published until
/// then.
double lookBackCycles(const LookBack &Of, const LookBackGrid &Grid);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_GRID_LOOKBACK_H
