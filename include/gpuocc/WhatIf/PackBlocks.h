//===- PackBlocks.h - Blocks of one warp as warps of a block ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_PACKBLOCKS_H
#define GPUOCC_WHATIF_PACKBLOCKS_H

#include "gpuocc/WhatIf/Change.h"

namespace gpuocc {

/// True if the blocks of \p V are of one warp each, whole or not, along x, in a
/// grid that is known, and no code or cluster requires their size.
bool canPackBlocks(const KernelVariant &V);

/// \p Warps blocks become the warps (threadIdx.y) of one, in as many blocks
/// less. Each warp does what its block did, in shared memory of its own; its
/// lanes meet where those of the block did, and lanes that the block lacks
/// leave at once.
Change packBlocks(unsigned Warps);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_PACKBLOCKS_H
