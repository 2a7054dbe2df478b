//===- OccupancyTable.h - Blocks that single resources allow ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_OCCUPANCYTABLE_H
#define GPUOCC_LIB_VIEWS_OCCUPANCYTABLE_H

#include "gpuocc/Report/Report.h"
#include "llvm/Support/JSON.h"

namespace gpuocc {

/// Blocks per SM that single resources allow for other shapes of \p K, as
/// `occupancy()` computes them:
///
///   threads, registers, shared_bytes   the steps of the tables
///   by_warps[threads], by_registers[threads][registers],
///   by_shared[shared_bytes], blocks    blocks; null is no limit
///
/// Blocks per SM are the least of the four. Null where the limits of the
/// architecture are not known.
llvm::json::Value occupancyTable(const KernelReport &K);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_OCCUPANCYTABLE_H
