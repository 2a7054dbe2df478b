//===- MemoryOrder.h - Which accesses must stay in order --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_MEMORYORDER_H
#define GPUOCC_KERNEL_MEMORYORDER_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <vector>

namespace gpuocc {

/// True if \p Later must stay behind \p Earlier: they may touch the same bytes
/// of a lane and one of them writes. Known from base, offset and space alone.
bool mayConflict(const MemoryAccess &Earlier, const MemoryAccess &Later);

/// For each access the number of accesses, itself included, that a warp can
/// issue together with it: those of its block that wait for as many loads of
/// the block, one after the other, as it does.
std::vector<unsigned> accessesIssuedTogether(const KernelFacts &Facts);

/// The same, the stores among them alone.
std::vector<unsigned> storesIssuedTogether(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_MEMORYORDER_H
