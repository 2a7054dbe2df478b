//===- OccupancyView.h - The occupancy calculator's pages ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_OCCUPANCYVIEW_H
#define GPUOCC_VIEWS_OCCUPANCYVIEW_H

#include "gpuocc/Model/Occupancy.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuocc {

/// How much an occupancy page shows.
enum class OccupancyDetail : uint8_t {
  /// The occupancy, what limits it, and the next steps.
  Summary,
  /// Also occupancy over block size, registers and shared memory.
  Tables,
};

/// Writes the occupancy of \p Block on an SM of \p Limits for a reader.
void writeOccupancyText(const ArchLimits &Limits, const BlockResources &Block,
                        OccupancyDetail Detail, llvm::raw_ostream &OS);

/// The same as JSON: `arch`, `block` (what was asked), `occupancy`, `limits`
/// (blocks by resource, null where it sets no bound), `allocated`,
/// `next_steps`, `unchecked`, and with tables `over_threads`,
/// `over_registers`, `over_shared_bytes`.
llvm::json::Value occupancyToJSON(const ArchLimits &Limits,
                                  const BlockResources &Block,
                                  OccupancyDetail Detail);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_OCCUPANCYVIEW_H
