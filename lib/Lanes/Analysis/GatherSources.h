//===- GatherSources.h - The loads that feed an address --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_GATHERSOURCES_H
#define GPUOCC_LIB_LANES_ANALYSIS_GATHERSOURCES_H

#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// Adds to the reason of each data-dependent access where its index is loaded
/// and how many sectors that load takes: "index loaded at a.cu:30 with 4
/// sectors per request (ideal 4)".
void describeGathers(const KernelFacts &Facts, ExecutionProfile &Profile);

/// Is the address of \p Access computed from what a load brought?
bool isGathered(const KernelFacts &Facts, const MemoryAccess &Access);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_GATHERSOURCES_H
