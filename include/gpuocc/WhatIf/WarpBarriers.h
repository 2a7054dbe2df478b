//===- WarpBarriers.h - Barriers that only warps need -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_WARPBARRIERS_H
#define GPUOCC_WHATIF_WARPBARRIERS_H

#include "gpuocc/WhatIf/Change.h"
#include <vector>

namespace gpuocc {

/// The barriers of \p V, operations by index, where no warp reads from shared
/// memory what another one wrote, and none reads from global memory an array
/// that the kernel writes: its lanes need to wait for each other only. Empty
/// where that cannot be said.
std::vector<uint32_t> barriersOfWarps(const KernelVariant &V);

/// The lanes of each warp wait for each other where the block waited at
/// \p Barriers.
Change joinWarps(std::vector<uint32_t> Barriers);

/// The same where a block of one warp waits at \p Op, if it does.
void waitInWarp(Operation &Op);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_WARPBARRIERS_H
