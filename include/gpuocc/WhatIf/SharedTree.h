//===- SharedTree.h - Reductions by halves in shared memory -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_SHAREDTREE_H
#define GPUOCC_WHATIF_SHAREDTREE_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <vector>

namespace gpuocc {

/// s[i] = s[i] + s[i + d], with any operation for the sum that may be done in
/// any order. Indices in KernelFacts::Operations.
struct TreeStep {
  uint32_t Store = NoIndex;
  uint32_t Combine = NoIndex;
  /// The load of s[i + d].
  uint32_t Other = NoIndex;
  /// The load of s[i]; NoIndex where a register keeps it.
  uint32_t Own = NoIndex;
  /// d in bytes; 0 where it is no constant.
  int64_t DistanceBytes = 0;
};

/// Steps that halve what is left of an array in shared memory.
struct SharedTree {
  /// In program order; one where a loop repeats it.
  std::vector<TreeStep> Steps;
  /// The loop whose iterations are the steps; NoIndex where the steps follow
  /// each other in the code.
  uint32_t Loop = NoIndex;
  /// Of a prefix sum that goes up a tree and down again: the loop that goes
  /// down.
  uint32_t Down = NoIndex;
};

/// The trees in \p Facts. Prefix sums have the same steps in a loop: what tells
/// them apart is how many lanes take part, which facts do not know.
std::vector<SharedTree> sharedTrees(const KernelFacts &Facts);

/// The prefix sums in \p Facts: trees whose steps add the word d places away,
/// where there is one, and hand on the sum at a barrier, which lanes do not
/// drop out of; and sums by halves behind which another loop hands the sums of
/// the left down (Blelloch).
std::vector<SharedTree> sharedScans(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_SHAREDTREE_H
