//===- ControlChanges.h - Changes of branches and loops ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_CONTROLCHANGES_H
#define GPUOCC_WHATIF_CONTROLCHANGES_H

#include "gpuocc/WhatIf/Change.h"
#include <vector>

namespace gpuocc {

/// The lanes of a warp agree at \p Branches: their sides run in fewer, fuller
/// warps.
Change convergeBranches(std::vector<uint32_t> Branches);

/// The lanes of a warp leave \p Loop together. The work stays what it is: warps
/// run shorter, and one warp of a block keeps the longest lane.
Change balanceLoop(uint32_t Loop);

/// The threads of a block fill its warps: the same lanes do the same work in
/// fewer warps.
Change fillWarps();

} // namespace gpuocc

#endif // GPUOCC_WHATIF_CONTROLCHANGES_H
