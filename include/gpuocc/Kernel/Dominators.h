//===- Dominators.h - Dominators and loops of a flow graph ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_DOMINATORS_H
#define GPUOCC_KERNEL_DOMINATORS_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Successors of each block; block 0 is the entry.
using BlockGraph = std::vector<llvm::SmallVector<uint32_t, 2>>;

/// A tree of dominators.
class Dominators {
public:
  /// Of \p Graph from its entry; blocks that cannot be reached have none.
  static Dominators of(const BlockGraph &Graph);
  /// Of the reversed \p Graph from a common exit behind every block without
  /// successors; blocks from which no exit can be reached have none.
  static Dominators ofReversed(const BlockGraph &Graph);

  /// The nearest block that dominates \p Block; NoIndex for roots.
  uint32_t parent(uint32_t Block) const { return Parent[Block]; }
  bool isReachable(uint32_t Block) const { return Depth[Block] != 0; }
  /// True if every path to \p Below goes through \p Above, or they are one.
  bool dominates(uint32_t Above, uint32_t Below) const;

private:
  std::vector<uint32_t> Parent;
  /// 1 for roots, 0 for what cannot be reached.
  std::vector<uint32_t> Depth;
};

/// Fills KernelFacts::Loops, BasicBlock::Loop and BasicBlock::PostDominator
/// from BasicBlock::Successors. Loops with several entries are no loops.
void findLoops(KernelFacts &Facts);

/// The successors of the blocks of \p Facts.
BlockGraph graphOf(const KernelFacts &Facts);

/// Blocks of \p Graph that can be reached from its entry, in reverse
/// post-order.
std::vector<uint32_t> reversePostOrder(const BlockGraph &Graph);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_DOMINATORS_H
