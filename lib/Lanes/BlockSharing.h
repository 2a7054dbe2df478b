//===- BlockSharing.h - Sectors that neighbouring blocks share -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_BLOCKSHARING_H
#define GPUOCC_LIB_LANES_BLOCKSHARING_H

#include "LaunchInputs.h"
#include "Slice.h"
#include "llvm/ADT/SmallVector.h"

namespace gpuocc {

/// Groups of accesses that are counted together: for each access those that it
/// belongs to.
struct AccessGroups {
  std::vector<llvm::SmallVector<unsigned, 2>> OfAccess;
  unsigned Count = 0;
};

/// For each group the sectors that a block in the middle of the grid brings,
/// per sector that its requests ask for. A sector that several of its requests
/// ask for counts once, and one that n of the blocks next to it ask for as well
/// counts as 1 / (n + 1): halos, and sectors that two blocks meet on. What
/// blocks further away share is not seen, so that this is an upper bound.
///
/// \returns 1 for a group of which the block asks for nothing.
std::vector<double> distinctShares(const KernelFacts &Facts, const Slice &S,
                                   LaunchInputs &Inputs,
                                   const MemoryGeometry &Geometry,
                                   const LanesOptions &Options,
                                   const AccessGroups &Groups);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_BLOCKSHARING_H
