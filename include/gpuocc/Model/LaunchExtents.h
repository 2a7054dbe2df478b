//===- LaunchExtents.h - Extents that no GPU can launch --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_LAUNCHEXTENTS_H
#define GPUOCC_MODEL_LAUNCHEXTENTS_H

#include <string>
#include <vector>

namespace gpuocc {

struct Launch;

/// Why the grid and the block of \p L cannot be launched whatever they use, one
/// sentence a limit; empty when they can. What a block uses is judged by
/// launchProblems.
///
/// Source: CUDA C++ Programming Guide 13.0, table "Technical Specifications per
/// Compute Capability": the same for all capabilities it lists. A grid of
/// clusters is a whole number of them: section "Thread Block Clusters".
std::vector<std::string> extentProblems(const Launch &L);

} // namespace gpuocc

#endif // GPUOCC_MODEL_LAUNCHEXTENTS_H
