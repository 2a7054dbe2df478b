//===- SidesOfBlocks.h - Blocks that take a side as a whole -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A branch whose condition is the same for all threads of a block is taken by
/// the block or not. Given odds of it are a share of the blocks, of which few
/// are walked: some of these take each side, and their weights make up for the
/// rounding.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_SIDESOFBLOCKS_H
#define GPUOCC_LIB_LANES_WALK_SIDESOFBLOCKS_H

#include "Slice/Slice.h"
#include "Walk/LaunchInputs.h"
#include "Walk/WarpPlan.h"

namespace gpuocc {

/// How a block goes at the branches that it decides as a whole.
struct BlockSides {
  /// By branch: the first target is taken or not; nothing where the block does
  /// not decide.
  std::vector<std::optional<bool>> Takes;
  /// The weight of the block over its share of the plan.
  double Weight = 1;
};

/// Branches outside of loops that blocks decide as a whole and whose odds the
/// launch gives.
std::vector<uint32_t> branchesOfBlocks(const KernelFacts &Facts, const Slice &S,
                                       const LaunchInputs &Inputs);

/// How the planned blocks go at \p Branches; parallel to the warps of \p Plan.
std::vector<BlockSides> sidesOfBlocks(const WarpPlan &Plan,
                                      const KernelFacts &Facts,
                                      llvm::ArrayRef<uint32_t> Branches,
                                      const LaunchInputs &Inputs);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_SIDESOFBLOCKS_H
