//===- PolledLoops.h - Loops that wait for others ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops whose end other threads decide, who write what is asked for.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_POLLEDLOOPS_H
#define GPUOCC_KERNEL_POLLEDLOOPS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <optional>
#include <vector>

namespace gpuocc {

/// Does every exit of \p L ask for one word that others write, or a barrier of
/// shared memory, and does \p L do nothing else?
bool pollsOneWord(const KernelFacts &Facts, const Loop &L);

/// A loop that asks for what others write, word after word of an array that the
/// kernel writes too, and does nothing else: a block looks for what those
/// before it have summed up (Merrill and Garland 2016, "Single-pass Parallel
/// Prefix Scan with Decoupled Look-back").
struct LookBackLoop {
  /// Blocks that an iteration asks for: one by each lane where the lanes of a
  /// warp decide together whether to go on; else one, by each lane on its own.
  unsigned BlocksPerIteration = 1;
  /// The loads that ask, indices in KernelFacts::Operations.
  std::vector<uint32_t> Loads;
};

/// Nothing for all other loops.
std::optional<LookBackLoop> lookBackLoop(const KernelFacts &Facts,
                                         const Loop &L);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_POLLEDLOOPS_H
