//===- Predication.h - Blocks that issue with another -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_PREDICATION_H
#define GPUOCC_LIB_LANES_ANALYSIS_PREDICATION_H

namespace gpuocc {

struct ExecutionProfile;
struct KernelFacts;

/// Gives blocks that are predicated into another its executions: their
/// instructions issue there whether or not a lane is active.
void applyPredication(const KernelFacts &Facts, ExecutionProfile &Profile);

/// Takes branches to a block that only ends the warp for predicated exits, as
/// the assembler makes them: warps of which all lanes leave there do not
/// execute that block.
void applyPredicatedExits(const KernelFacts &Facts, ExecutionProfile &Profile);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_PREDICATION_H
