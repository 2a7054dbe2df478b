//===- Regions.h - Blocks that are scheduled as one -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_REGIONS_H
#define GPUOCC_KERNEL_REGIONS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace gpuocc {

/// Blocks that the assembler schedules as one: a block with the sides that are
/// predicated into it and where these join, in program order.
using Region = llvm::SmallVector<uint32_t, 4>;

/// The sides that are predicated into a block, with those that are predicated
/// into them, and the block where all go on.
struct PredicatedSides {
  llvm::SmallVector<uint32_t, 2> Sides;
  uint32_t Join = NoIndex;
  /// Edges into Join from the block and its sides.
  unsigned NumEdges = 0;
};

/// The sides of \p Block; no join where it has none, or where its executions
/// may go on elsewhere.
PredicatedSides predicatedSidesOf(const KernelFacts &Facts, uint32_t Block);

/// All blocks of \p Facts, each in one region.
std::vector<Region> regionsOf(const KernelFacts &Facts);

/// The block of \p Facts whose executions issue the code of \p Block: the one
/// that it was predicated into, or itself.
uint32_t issuingBlock(const KernelFacts &Facts, uint32_t Block);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_REGIONS_H
