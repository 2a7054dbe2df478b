//===- MemoryOrder.h - Which accesses must stay in order --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_MEMORYORDER_H
#define GPUOCC_KERNEL_MEMORYORDER_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace gpuocc {

/// True if \p Later must stay behind \p Earlier: they may touch the same bytes
/// of a lane and one of them writes. Known from base, offset and space alone.
bool mayConflict(const MemoryAccess &Earlier, const MemoryAccess &Later);

/// For each access the number of its group: a warp can issue the accesses of a
/// group together, those of a region (Regions.h) that wait for as many loads of
/// the region, one after the other. What leaves straight code between them (the
/// slow path of a division, a call) parts them.
std::vector<unsigned> groupsIssuedTogether(const KernelFacts &Facts);

/// For each access the number of accesses in its group that \p IsCounted holds
/// for, from the \p GroupOf each.
std::vector<unsigned> sizesOfGroups(llvm::ArrayRef<unsigned> GroupOf,
                                    llvm::function_ref<bool(size_t)> IsCounted);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_MEMORYORDER_H
