//===- ShuffledTree.h - A tree in shared memory as shuffles -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_SHUFFLEDTREE_H
#define GPUOCC_WHATIF_SHUFFLEDTREE_H

#include "gpuocc/WhatIf/Change.h"
#include "gpuocc/WhatIf/SharedTree.h"

namespace gpuocc {

/// Steps of \p Tree each time that it is entered.
double stepsOf(const KernelVariant &V, const SharedTree &Tree);

/// True if lanes drop out from step to step, as in a sum; in a prefix sum most
/// stay.
bool thinsOut(const KernelVariant &V, const SharedTree &Tree);

/// True if one word of the block is left behind \p Tree. What is left of a tree
/// along a column of the block is a row, whose lanes have nothing to shuffle.
bool endsInOneWord(const KernelVariant &V, const SharedTree &Tree);

/// \p Trees become rounds of five shuffles: in the first each warp adds up its
/// lanes, in the next one warp adds up the warps. A round begins with a load
/// from shared memory and ends with a store. The barrier between rounds is the
/// one in front of the tree, where words that are in shared memory for the tree
/// alone are put there.
Change shuffleTrees(std::vector<SharedTree> Trees);

/// True if the steps of \p Scan go along the lanes: the first adds the word of
/// the lane beside.
bool goesAlongLanes(const KernelVariant &V, const SharedTree &Scan);

/// \p Scans become one step: each warp adds up its lanes by shuffles, one warp
/// the sums of all warps, and each adds that of those in front of it. Of the
/// barriers those of one step stay.
Change shuffleScans(std::vector<SharedTree> Scans);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_SHUFFLEDTREE_H
