//===- ReadSample.h - Blocks whose reads are kept ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_READSAMPLE_H
#define GPUOCC_LIB_EXECUTE_READSAMPLE_H

#include "gpuocc/Kernel/SeenReads.h"
#include <atomic>
#include <mutex>

namespace gpuocc::execute {

/// Blocks that are watched of a grid, at most, beside the last ones.
constexpr uint64_t MostBlocks = 192;

/// The numbers of up to \p Most blocks of \p NumBlocks, one in each of equal
/// shares of them.
std::vector<uint64_t> spreadBlocks(uint64_t NumBlocks, uint64_t Most);

/// The blocks of a grid whose reads are kept: spread over the grid, one in each
/// of equal shares of it. Where blocks read so much that not all can be kept,
/// every second is left out, again and again, so that those that stay are
/// whole and spread: blocks that take turns all run before one has ended.
///
/// The last blocks of the grid are kept beside them: the one that finds that
/// all others have ended, and does what is left, is among them where they start
/// when all before them have ended (GridRun).
class ReadSample {
public:
  /// Of a grid of \p NumBlocks blocks, of which \p NumLast are the last.
  ReadSample(uint64_t NumBlocks, uint64_t NumLast);

  /// Where the reads of block \p Number go, which starts; null where they are
  /// not kept.
  SeenBlock *find(uint64_t Number);
  /// Adds \p R to \p Block, up to what is kept of a block; false where the
  /// block is left out, and nothing more of it is wanted. A block runs on one
  /// core.
  bool add(SeenBlock &Block, const SeenRead &R);

  /// The first of the last blocks; behind the grid where all are spread.
  uint64_t firstLast() const { return FirstLast; }
  /// The numbers of all, ascending.
  std::vector<uint64_t> numbers() const;

  /// Those whose reads were kept, when all have run.
  std::vector<SeenBlock> takeBlocks();

private:
  struct Progress {
    /// Where the last read of a thread at an address lies in the block's.
    llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> Last;
    std::atomic<size_t> NumReads = 0;
  };

  bool isKept(size_t Place) const {
    return Place % Stride == 0 || Place >= NumSpread;
  }
  void leaveOutHalf();

  /// Those that are spread, then the last.
  std::vector<SeenBlock> Blocks;
  std::vector<Progress> States;
  std::atomic<size_t> NumReads = 0;
  size_t NumSpread = 0;
  uint64_t FirstLast = ~uint64_t(0);
  /// Every so many of the spread blocks are kept.
  std::atomic<size_t> Stride = 1;
  std::mutex Lock;
};

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_READSAMPLE_H
