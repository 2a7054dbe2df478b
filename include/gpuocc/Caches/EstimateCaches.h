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

/// Caches whose hits are estimated. L1 alone says what goes on to L2, which
/// takes a fraction of the time.
enum class CacheLevels : uint8_t { All, L1 };

/// Fills what \p Profile, of the launch \p L, says of \p Levels and, for all of
/// them, of DRAM, as far as its mechanisms are in use.
void estimateCaches(const WalkedLaunch &L, ExecutionProfile &Profile,
                    CacheLevels Levels = CacheLevels::All);

/// profileLanes() with estimateCaches().
ExecutionProfile profileLaunch(const KernelFacts &Facts, const Launch &L,
                               const MemoryGeometry &Geometry,
                               const LanesOptions &Options,
                               CacheLevels Levels = CacheLevels::All);

} // namespace gpuocc

#endif // GPUOCC_CACHES_ESTIMATECACHES_H
