//===- WarpPaths.h - The ways of warps through a kernel ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_WARPPATHS_H
#define GPUOCC_LIB_EXECUTE_WARPPATHS_H

#include "gpuocc/Kernel/ExecutedCounts.h"
#include <atomic>
#include <memory>
#include <mutex>

namespace gpuocc::execute {

/// The code of a kernel as its threads tell where they are.
struct PathCode {
  /// Nothing counted yet.
  std::vector<ExecutedBlock> Blocks;
  MeetingPlaces Places;
};

/// What a thread tells: the end of a block, or an access of memory in it, which
/// comes before.
struct PathEvent {
  static constexpr uint32_t NoAccess = ~0u;
  uint32_t Block = 0;
  uint32_t Access = NoAccess;
  uint64_t Address = 0;
};

/// How much threads tell, which is kept until their block has ended.
struct PathLimits {
  /// Events of one block. Where its threads tell more, half of its warps are
  /// followed no further, again and again, down to one.
  size_t OfBlock = 0;
  /// Events of the last warp, behind which nothing is known of the block.
  size_t OfWarp = 0;
  /// Events of the grid, behind which no block starts.
  size_t OfGrid = 0;
};

/// What the threads of one block, which runs on one core, tell.
class BlockPaths {
public:
  BlockPaths(unsigned NumThreads, const PathLimits &Limits);

  /// Block \p Number starts.
  void start(uint64_t Number);
  void add(uint32_t Rank, PathEvent E);
  bool isCut() const { return IsCut; }
  unsigned numWarps() const { return NumWarps; }
  /// Are the threads of \p Warp followed?
  bool follows(unsigned Warp) const {
    return (Warp + NumWarps - FirstFollowed) % NumWarps < NumFollowed;
  }
  size_t numEvents() const { return NumEvents; }
  llvm::ArrayRef<PathEvent> of(uint32_t Rank) const { return Threads[Rank]; }

private:
  void followHalf();

  const PathLimits &Limits;
  std::vector<std::vector<PathEvent>> Threads;
  unsigned NumWarps;
  unsigned FirstFollowed = 0, NumFollowed = 0;
  size_t NumEvents = 0;
  bool IsCut = false;
};

/// The counts of the grid.
class GridPaths {
public:
  /// Of a grid of \p NumBlocks blocks that all run.
  GridPaths(const PathCode &Code, unsigned NumThreads, uint64_t NumBlocks);
  /// Of blocks \p Numbers, ascending, of a grid of \p NumBlocks, of which no
  /// others run.
  GridPaths(const PathCode &Code, unsigned NumThreads, uint64_t NumBlocks,
            std::vector<uint64_t> Numbers, const PathLimits &Limits);

  /// Is there more to be known?
  bool goesOn() const { return NumEvents < Limits.OfGrid; }

  /// For block \p Number, which starts; null where it is not counted.
  BlockPaths *start(uint64_t Number);
  /// The block of \p Block has ended.
  void end(BlockPaths &Block);

  /// What was counted, when all have ended; nothing where a block did too much
  /// to be kept, or its threads told what the code cannot do.
  std::optional<ExecutedCounts> take();

private:
  const PathCode &Code;
  const unsigned NumThreads;
  const uint64_t NumBlocks;
  const PathLimits Limits;
  /// The blocks that are counted, ascending; empty: all.
  std::vector<uint64_t> Numbers;
  std::mutex Lock;
  std::vector<std::unique_ptr<BlockPaths>> Blocks;
  std::vector<BlockPaths *> Free;
  ExecutedCounts All;
  /// Blocks that were counted, and those of which all warps were.
  uint64_t NumCounted = 0, NumWholeBlocks = 0;
  /// Executions by a warp of each of them, and their squares, summed.
  double SumOfBlocks = 0, SumOfSquares = 0;
  std::atomic<size_t> NumEvents = 0;
  bool IsGood = true;
};

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_WARPPATHS_H
