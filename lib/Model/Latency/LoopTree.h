//===- LoopTree.h - The code of a kernel, loop by loop ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_LOOPTREE_H
#define GPUOCC_LIB_MODEL_LATENCY_LOOPTREE_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuocc {

/// The blocks and loops that make up a kernel and each of its loops, in the
/// order in which a warp comes to them: reverse post-order of the blocks, a
/// loop at the place of the first of its own.
class LoopTree {
public:
  explicit LoopTree(const KernelFacts &Facts);

  struct Child {
    /// In KernelFacts::Loops or KernelFacts::Blocks.
    uint32_t Index;
    bool IsLoop;
  };

  /// The children of loop \p L, or of the kernel for NoIndex.
  llvm::ArrayRef<Child> childrenOf(uint32_t L) const {
    return Children[L == NoIndex ? 0 : L + 1];
  }

private:
  /// Of the kernel, and of each loop.
  std::vector<std::vector<Child>> Children;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_LOOPTREE_H
