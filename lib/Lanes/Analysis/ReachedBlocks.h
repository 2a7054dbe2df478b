//===- ReachedBlocks.h - What the control flow leads to --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_REACHEDBLOCKS_H
#define GPUOCC_LIB_LANES_ANALYSIS_REACHEDBLOCKS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuocc {

/// For each block: is it one of \p Starts, or reached from one of them, without
/// passing one of \p Without? Those and NoIndex are reached from nowhere.
std::vector<bool> reachedBlocks(const KernelFacts &Facts,
                                llvm::ArrayRef<uint32_t> Starts,
                                llvm::ArrayRef<uint32_t> Without = {});

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_REACHEDBLOCKS_H
