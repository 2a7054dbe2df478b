//===- EqualityCuts.h - Blocks that an equality picks -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_EQUALITYCUTS_H
#define GPUOCC_LIB_LANES_WALK_EQUALITYCUTS_H

#include "Walk/WalkEvents.h"
#include "Walk/WarpPlan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// Walks the first warp of a block with an observer.
using WalkOfBlock = llvm::function_ref<void(Dim3 Block, WalkObserver &)>;

/// Adds to \p Cuts the blocks of which code asks by name: where a warp compares
/// for equality what grows evenly with the number of the block along a
/// dimension (`blockIdx.x == 77`, or of threads, `i == chosen`), the block for
/// which both sides are equal is a cell of its own. findCuts() does not see it,
/// as the blocks before and behind it go the same way. Each dimension that
/// \p Uses names is asked by two neighbouring blocks in its middle; at most
/// \p MaxPicked blocks are picked of each.
void addEqualityCuts(Dim3 Grid, const bool (&Uses)[3], unsigned MaxPicked,
                     WalkOfBlock Walk, GridCuts &Cuts);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_EQUALITYCUTS_H
