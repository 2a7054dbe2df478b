//===- FlowGraph.h - Basic blocks of machine code ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READSASS_FLOWGRAPH_H
#define GPUOCC_LIB_READSASS_FLOWGRAPH_H

#include "gpuocc/ReadSass/Disassembly.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpuocc {

/// A straight-line stretch of SassFunction::Instructions.
struct FlowBlock {
  size_t First = 0, End = 0;
  /// Taken side of a conditional branch first.
  llvm::SmallVector<uint32_t, 2> Successors;
  bool EndsInBranch = false;
};

/// Blocks that can be reached, entry first. A function that is called is
/// repeated for each place that calls it. Where some lanes exit and others go
/// on, one side leads to an empty block without successors.
struct FlowGraph {
  std::vector<FlowBlock> Blocks;
  /// Calls and jumps that were not followed.
  std::vector<std::string> Gaps;
};

/// Fails when a branch goes to a label that \p Function does not have.
llvm::Expected<FlowGraph> buildFlowGraph(const SassFunction &Function);

} // namespace gpuocc

#endif // GPUOCC_LIB_READSASS_FLOWGRAPH_H
