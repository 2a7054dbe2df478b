//===- ReadSample.h - Blocks whose reads are kept ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_READSAMPLE_H
#define GPUOCC_LIB_EXECUTE_READSAMPLE_H

#include "gpuocc/Kernel/SeenReads.h"

namespace gpuocc::execute {

/// The blocks of a grid whose reads are kept: spread over the grid, one in each
/// of equal shares of it.
class ReadSample {
public:
  /// Of a grid of \p NumBlocks blocks.
  explicit ReadSample(uint64_t NumBlocks);

  /// Where the reads of block \p Number go; null where they are not kept.
  SeenBlock *find(uint64_t Number);
  /// Adds \p R to \p Block, up to what is kept of a block.
  void add(SeenBlock &Block, const SeenRead &R) const;

  const std::vector<SeenBlock> &blocks() const { return Blocks; }

private:
  std::vector<SeenBlock> Blocks;
  size_t MostReadsOfBlock = 0;
};

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_READSAMPLE_H
