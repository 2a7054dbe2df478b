//===- PartSectors.h - Sectors that stores fill in parts --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What stores leave out of a sector must come from DRAM once L2 lets go of it.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CACHES_PARTSECTORS_H
#define GPUOCC_LIB_CACHES_PARTSECTORS_H

#include "L2Objects.h"

namespace gpuocc {

/// The sectors of an object that L2 lets go of before stores have filled them.
struct PartSectors {
  /// Share of the sectors that stores reach: their rest is fetched.
  double Fetched = 0;
  /// Share of the stored sectors, those that are stored to again counted again:
  /// L2 holds them no more when the next store comes.
  double FetchedAgain = 0;
  /// False: stores leave parts of them out to the end.
  bool AreFilled = true;
};

/// What blocks that run together reach, and one of them, and how many of their
/// warps there are.
struct RunningBlocks {
  const L2Objects &OfAll, &OfOne;
  double Warps = 0;
  /// Warps of the grid over those that run together.
  double Waves = 1;
};

/// For each object that stores reach at known places, what becomes of the
/// sectors that they fill in parts. \p ObjectOf: of the accesses of \p L.
std::map<ObjectKey, PartSectors>
findPartSectors(const WalkedLaunch &L, const ExecutionProfile &Profile,
                llvm::ArrayRef<ObjectKey> ObjectOf, const L2Objects &OfGrid,
                const RunningBlocks &Running);

/// Of what comes back after \p Between other bytes, the share that L2 of
/// \p Room bytes holds no more.
double shareDrivenOut(double Between, double Room);

} // namespace gpuocc

#endif // GPUOCC_LIB_CACHES_PARTSECTORS_H
