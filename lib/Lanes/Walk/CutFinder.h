//===- CutFinder.h - Where in a grid the control flow changes --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_CUTFINDER_H
#define GPUOCC_LIB_LANES_WALK_CUTFINDER_H

#include "Walk/WarpPlan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// What the blocks at a place of the grid do, as a number that differs when
/// the control flow of their warps does.
using BlockSignature = llvm::function_ref<uint64_t(Dim3 Block)>;

/// Finds the cuts of each dimension that \p Uses names by walking blocks along
/// lines through the middle of the grid: the edges and \p InnerProbes evenly
/// spread between them, then bisection between neighbours that differ. Where
/// these go more than \p MaxWays ways, only the edges are cut. Control
/// flow that changes in the middle of two equal samples is not seen. Where it
/// changes everywhere (a trip count that depends on the block, say), only the
/// edges are cut.
GridCuts findCuts(Dim3 Grid, const bool (&Uses)[3], BlockSignature Signature,
                  unsigned InnerProbes, unsigned MaxWays);

/// Do blocks of one cell of \p Cuts do the same? Asked of the corners of the
/// grid and of a few blocks that are scattered so that they have nothing in
/// common with powers of two.
bool areCellsAlike(Dim3 Grid, const GridCuts &Cuts, BlockSignature Signature);

/// Divides the cells of \p Cuts until the blocks of each box that are looked at
/// do the same (corners, the middle, and two others), about \p MaxProbes blocks
/// were looked at, or there are \p MaxBoxes boxes. Guards that several
/// dimensions share, as `i > j` or `i > k && j > k`, are found by it.
std::vector<BlockBox> findBoxes(Dim3 Grid, const GridCuts &Cuts,
                                BlockSignature Signature, unsigned MaxProbes,
                                unsigned MaxBoxes);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_CUTFINDER_H
