//===- OtherBlocks.h - The same work in other blocks -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_OTHERBLOCKS_H
#define GPUOCC_LIB_ASSESS_OTHERBLOCKS_H

#include "Price.h"
#include <optional>

namespace gpuocc {

/// True when threads do not work together: no shared memory, barriers, shuffles
/// or votes, and no block that the code requires.
bool hasIndependentThreads(const Case &C);

/// True when the kernel computes with the size of its block as it finds it, and
/// its threads do not work together: then any size does the same work.
bool adaptsToBlocks(const Case &C);

/// A launch of the same work in blocks of another size.
struct OtherBlocks {
  Launch Launched;
  Prediction Predicted;
  Price Gain;
};

/// \p C launched as \p L, which differs in block and grid only, with addresses
/// evaluated anew; nothing when it cannot be launched so.
std::optional<OtherBlocks> launchedAs(const Case &C, Launch L);

/// \p C in blocks of \p Threads, whose addresses are evaluated anew; nothing
/// when such blocks cannot be launched. For kernels that adaptsToBlocks.
std::optional<OtherBlocks> inBlocksOf(const Case &C, uint64_t Threads);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_OTHERBLOCKS_H
