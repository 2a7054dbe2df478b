//===- CacheEstimate.h - Expected hits in L1 and L2 ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reuse of sectors. L1 is simulated for the blocks that one SM holds, warps
/// taking turns request by request, with cold caches. L2 follows from the
/// distinct bytes of each object.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CACHES_CACHEESTIMATE_H
#define GPUOCC_LIB_CACHES_CACHEESTIMATE_H

#include "gpuocc/Lanes/WalkedLaunch.h"

namespace gpuocc {

/// Fills L1HitFraction and ReuseReason of the cached accesses of \p Profile,
/// whose other figures are known.
void estimateL1(const WalkedLaunch &L, ExecutionProfile &Profile);

/// Fills L2HitFraction and the footprints, from the ranges that the corners of
/// the grid reach and the bytes that miss L1. Must follow estimateL1.
void estimateL2(const WalkedLaunch &L, ExecutionProfile &Profile);

/// Fills the hits of local memory: in L2 for all of it, in L1 for spills (the
/// simulation has found those of arrays). Must follow estimateL2.
///
/// Each resident warp has a stack of its own, which the next block on its place
/// takes over. Between a store and the load that wants its value back every
/// other resident warp takes a turn as long: it touches its own stack and a
/// part of what else it reads, half of it where the value comes back once. A
/// cache has what of that fits. Slots of spills that hold no value take no room
/// in L1.
void estimateLocal(const WalkedLaunch &L, ExecutionProfile &Profile);

} // namespace gpuocc

#endif // GPUOCC_LIB_CACHES_CACHEESTIMATE_H
