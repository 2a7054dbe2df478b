//===- LoopNest.h - Which loops hold a block --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_LOOPNEST_H
#define GPUOCC_LIB_LANES_ANALYSIS_LOOPNEST_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <vector>

namespace gpuocc {

/// The loops around each block. Malformed indices are dropped, not trusted.
class LoopNest {
public:
  LoopNest() = default;
  explicit LoopNest(const KernelFacts &Facts);

  /// The innermost loop that holds \p Block, or NoIndex.
  uint32_t innermost(uint32_t Block) const {
    return Block < Innermost.size() ? Innermost[Block] : NoIndex;
  }

  /// The loop around loop \p L, or NoIndex.
  uint32_t parent(uint32_t L) const { return Parents[L]; }

  /// Is block \p Block inside loop \p L or a loop in it?
  bool contains(uint32_t L, uint32_t Block) const;

private:
  std::vector<uint32_t> Innermost, Parents;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_LOOPNEST_H
