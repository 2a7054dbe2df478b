//===- EstimateCaches.h - Expected hits in L1 and L2 -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CACHES_ESTIMATECACHES_H
#define GPUOCC_CACHES_ESTIMATECACHES_H

#include "gpuocc/Lanes/ProfileLanes.h"

namespace gpuocc {

class WalkedLaunch;

/// Fills what \p Profile, of the launch \p L, says of L1, L2 and DRAM, as far
/// as its mechanisms are in use.
void estimateCaches(const WalkedLaunch &L, ExecutionProfile &Profile);

/// profileLanes() with estimateCaches().
ExecutionProfile profileLaunch(const KernelFacts &Facts, const Launch &L,
                               const MemoryGeometry &Geometry,
                               const LanesOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_CACHES_ESTIMATECACHES_H
