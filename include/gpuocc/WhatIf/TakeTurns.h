//===- TakeTurns.h - Blocks that do the work of several ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_TAKETURNS_H
#define GPUOCC_WHATIF_TAKETURNS_H

#include "gpuocc/WhatIf/Change.h"

namespace gpuocc {

/// Each block does the work of \p Blocks blocks in turns, as in a loop that
/// strides over the grid, in a grid along x of as many blocks less. What a
/// block does once is done in each turn. Fails where the grid is not known.
Change takeTurns(double Blocks);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_TAKETURNS_H
