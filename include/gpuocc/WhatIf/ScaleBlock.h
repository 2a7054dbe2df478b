//===- ScaleBlock.h - Blocks that run more or less often --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_SCALEBLOCK_H
#define GPUOCC_WHATIF_SCALEBLOCK_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include <vector>

namespace gpuocc {

/// The blocks that lanes walk between branch \p Index and the place where its
/// sides meet again.
std::vector<uint32_t> blocksOfBranch(const KernelFacts &Facts, uint32_t Index);

/// Multiplies the executions of \p Block, and of the accesses and branches in
/// it, by \p Factor.
void scaleExecutions(const KernelFacts &Facts, ExecutionProfile &Profile,
                     uint32_t Block, double Factor);

/// The same where lanes are moved, if \p Factor is positive. The bytes that its
/// accesses move stay what they were: the same lanes do the same work in fewer,
/// fuller warps. Atomics of lanes on one address take as many turns as before.
void scaleBlock(const KernelFacts &Facts, ExecutionProfile &Profile,
                uint32_t Block, double Factor);

/// Warp instructions that \p Block issues per warp of the grid.
double instructionsOfBlock(const KernelFacts &Facts,
                           const ExecutionProfile &Profile, uint32_t Block);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_SCALEBLOCK_H
