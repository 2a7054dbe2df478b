//===- RunOffsets.h - Loaded offsets of runs of lanes ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_RUNOFFSETS_H
#define GPUOCC_LIB_LANES_ANALYSIS_RUNOFFSETS_H

#include "Analysis/StaticTraits.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include <vector>

namespace gpuocc {

/// Offsets that are loaded from places that data choose and added to the number
/// of the thread where an address is formed, element by element
/// (`out[offset[digit] + threadIdx.x]`). Neighboring lanes are meant to have
/// the same offset: what is stored so has been sorted by what chooses it.
struct RunOffsets {
  /// The loads of such offsets, parallel to KernelFacts::Operations.
  std::vector<bool> Loads;
  /// Whose addresses they are in, parallel to KernelFacts::Accesses.
  std::vector<bool> Accesses;
};

RunOffsets findRunOffsets(const KernelFacts &Facts,
                          llvm::ArrayRef<StaticTraits> Traits);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_RUNOFFSETS_H
