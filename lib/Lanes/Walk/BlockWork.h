//===- BlockWork.h - What each block of a grid does -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where recorded data decides how much the blocks of a grid do, or each of
/// them searches from a start of its own, a few of them tell nothing of the
/// longest. Here all of them are walked, two iterations of each loop that has a
/// closed form.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_BLOCKWORK_H
#define GPUOCC_LIB_LANES_WALK_BLOCKWORK_H

#include "Slice/Slice.h"
#include "Walk/LaunchInputs.h"
#include "Walk/WarpPlan.h"

namespace gpuocc {

/// Some branch of \p S rests on what a recorded array holds.
bool isDecidedByRecord(const KernelFacts &Facts, const Slice &S);

/// The loops with a branch that rests on the number of the block.
std::vector<uint32_t> loopsOfBlocks(const KernelFacts &Facts);

/// The instructions of the blocks of the grid: of all of them, or of as many,
/// evenly spread, as about \p MaxSteps evaluated operations allow.
std::vector<BlockWork> workOfBlocks(const KernelFacts &Facts, const Slice &S,
                                    LaunchInputs &Inputs, uint64_t MaxSteps);

/// Blocks that were looked at while the kernel ran: those whose reads were
/// kept, or whose turns were where no reads are; those that turn most, the
/// first one, and the last ones whose reads were kept, are alone.
std::vector<BlockWork> blocksLookedAt(const LaunchInputs &Inputs);

/// Fills in the instructions of \p Blocks.
void lookUpWork(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
                uint64_t MaxSteps, std::vector<BlockWork> &Blocks);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_BLOCKWORK_H
