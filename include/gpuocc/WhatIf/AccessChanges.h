//===- AccessChanges.h - Changes of memory accesses -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_ACCESSCHANGES_H
#define GPUOCC_WHATIF_ACCESSCHANGES_H

#include "gpuocc/WhatIf/Change.h"
#include <vector>

namespace gpuocc {

/// Indices in KernelFacts::Accesses.
using AccessList = std::vector<uint32_t>;

/// Requests of shared memory by \p Accesses take as few wavefronts as their
/// words allow.
Change removeBankConflicts(AccessList Accesses);

/// Requests of \p Groups touch as few sectors of \p G as hold their words. The
/// accesses of a group are of one array: DRAM brings for the loads of a group
/// what it brought before, up to what they ask for then, and likewise for the
/// others. The lanes of a warp that are in \p Rows rows of their block stay in
/// lines of their own.
Change coalesceAccesses(std::vector<AccessList> Groups, MemoryGeometry G,
                        unsigned Rows = 1);

/// Loads \p Accesses of constant memory read the same words of global memory,
/// through the read-only path. Addresses are to be evaluated anew.
Change readFromGlobal(AccessList Accesses);

/// Volatile loads \p Accesses find in L1 what it holds. Addresses are to be
/// evaluated anew.
Change cacheLoads(AccessList Accesses);

/// \p Accesses of local memory become registers: \p MoreRegisters more per
/// thread, but no more than \p MostRegisters.
Change keepInRegisters(AccessList Accesses, unsigned MoreRegisters,
                       unsigned MostRegisters);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_ACCESSCHANGES_H
