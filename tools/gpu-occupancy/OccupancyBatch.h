//===- OccupancyBatch.h - Occupancy of many blocks -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_OCCUPANCYBATCH_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_OCCUPANCYBATCH_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuocc {

/// Reads lines "arch,registers,block,static_shared,dynamic_shared,cluster"
/// from standard input and answers each with a line
/// "blocks_per_sm,warps_per_sm,limiter" on \p OS. A first line that names the
/// columns is answered by the names of ours; empty lines are skipped. The last
/// three fields may be empty or missing: 0 bytes and clusters of 1.
///
/// Fails at the first line that is no such line, naming it.
llvm::Error runOccupancyBatch(llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_OCCUPANCYBATCH_H
