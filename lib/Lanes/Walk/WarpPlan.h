//===- WarpPlan.h - Which warps of a grid are walked -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_WARPPLAN_H
#define GPUOCC_LIB_LANES_WALK_WARPPLAN_H

#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <vector>

namespace gpuocc {

/// A warp that stands for Weight warps of the grid.
struct PlannedWarp {
  Dim3 BlockIndex;
  unsigned WarpInBlock = 0;
  /// The warps of its block that it stands for: FirstAlike and those behind.
  unsigned FirstAlike = 0, NumAlike = 1;
  /// Warps of one class and one place in their block behave alike but for
  /// alignment.
  uint32_t Class = 0;
  double Weight = 1;
  /// It is of a box whose blocks differ.
  bool IsOfMixed = false;
};

/// The cuts that single out the first and the last block of each dimension
/// that \p Uses names; other dimensions stay whole.
GridCuts edgeCuts(Dim3 Grid, const bool (&Uses)[3]);

struct WarpPlan {
  std::vector<PlannedWarp> Warps;
  /// Every warp of a block was planned wherever one was, and two blocks at
  /// least of each cell that has two: what is the same in both is taken to be
  /// the same in the cell.
  bool Confirmed = true;
  /// Warps at the front whose blocks work most (planByWork): their ways are the
  /// longest.
  size_t NumHeaviest = 0;
};

/// A block of the grid, and the instructions of its warps.
struct BlockWork {
  Dim3 Index;
  double Work = 0;
  /// Stands for no other block of the grid.
  bool IsAlone = false;
};

/// About \p MaxWarps warps of \p Blocks, which stand for the \p NumBlocks
/// blocks of the grid: the block that works most, and some of each class of
/// blocks whose work is within a factor of two.
WarpPlan planByWork(std::vector<BlockWork> Blocks, uint64_t NumBlocks,
                    unsigned WarpsPerBlock, unsigned MaxWarps);

/// Blocks [Low, High) of each dimension.
struct BlockBox {
  std::array<uint64_t, 3> Low, High;
  /// All that were looked at do the same.
  bool IsAlike = true;
  uint64_t blocks() const {
    return (High[0] - Low[0]) * (High[1] - Low[1]) * (High[2] - Low[2]);
  }
};

/// The boxes between \p Cuts.
std::vector<BlockBox> boxesBetween(const GridCuts &Cuts);

/// About \p MaxWarps warps of \p Boxes, which make up the grid: some blocks of
/// each, by their size, and as many again of those whose blocks differ.
WarpPlan planBoxes(llvm::ArrayRef<BlockBox> Boxes, unsigned WarpsPerBlock,
                   unsigned MaxWarps);

/// About \p MaxWarps warps, every warp of the grid if there are no more than
/// that. Each cell of \p Cuts is represented, by \p MaxBlocks blocks at most;
/// weights add up to the number of warps of the grid. \p HaveRoles: groups of
/// warps of a block do different things, so that one of each is walked.
WarpPlan planWarps(Dim3 Grid, unsigned WarpsPerBlock, const GridCuts &Cuts,
                   unsigned MaxWarps, uint64_t MaxBlocks,
                   bool HaveRoles = false);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_WARPPLAN_H
