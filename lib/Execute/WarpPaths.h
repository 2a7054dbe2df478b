//===- WarpPaths.h - The ways of warps through a kernel ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_WARPPATHS_H
#define GPUOCC_LIB_EXECUTE_WARPPATHS_H

#include "gpuocc/Kernel/ExecutedCounts.h"
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

/// What the threads of one block, which runs on one core, tell.
class BlockPaths {
public:
  /// Threads tell so much of one block at most.
  static constexpr size_t MostEvents = size_t(1) << 24;

  explicit BlockPaths(unsigned NumThreads) : Threads(NumThreads) {}

  void start();
  void add(uint32_t Rank, PathEvent E);
  bool isCut() const { return IsCut; }
  llvm::ArrayRef<PathEvent> of(uint32_t Rank) const { return Threads[Rank]; }

private:
  std::vector<std::vector<PathEvent>> Threads;
  size_t NumEvents = 0;
  bool IsCut = false;
};

/// The counts of the grid.
class GridPaths {
public:
  /// Of a grid of \p NumBlocks blocks.
  GridPaths(const PathCode &Code, unsigned NumThreads, uint64_t NumBlocks);

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
  /// The blocks that are counted, ascending; empty: all.
  std::vector<uint64_t> Numbers;
  std::mutex Lock;
  std::vector<std::unique_ptr<BlockPaths>> Blocks;
  std::vector<BlockPaths *> Free;
  ExecutedCounts All;
  bool IsGood = true;
};

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_WARPPATHS_H
