//===- LoopTurns.h - Turns of loops while a grid runs -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_LOOPTURNS_H
#define GPUOCC_LIB_EXECUTE_LOOPTURNS_H

#include "Retarget.h"
#include "gpuocc/Kernel/CountedTurns.h"
#include <memory>
#include <mutex>

namespace gpuocc::execute {

/// The turns of the loops of one block that runs, on one core.
///
/// Lanes of a warp run one after the other here and together on a GPU, where a
/// warp turns as often as its longest lane. Entries of a loop by different
/// lanes are one where the loops around it have turned as often; of each warp
/// and loop, some of them are followed, and the others are taken to be like
/// these.
class BlockTurns {
public:
  BlockTurns(llvm::ArrayRef<TurnedLoop> Loops, unsigned NumThreads);

  void start(uint64_t BlockNumber);
  uint64_t number() const { return Number; }
  /// Thread \p Rank leaves \p Loop, which it entered for the time that \p Key
  /// names, after \p Turns.
  void leave(uint32_t Rank, uint32_t Loop, uint64_t Turns, uint32_t Key);
  /// By warp, then by loop.
  std::vector<TurnCount> counts() const;

private:
  /// An entry of a warp that is followed.
  struct Entry {
    uint32_t Key = 0, NumLanes = 0;
    uint64_t Most = 0, Sum = 0;
  };
  struct Lanes {
    uint64_t Entries = 0, Turns = 0;
  };

  size_t numLoops() const { return FirstEntry.size() - 1; }

  uint64_t Number = 0;
  unsigned NumWarps;
  /// Of each loop among the entries of a warp, and behind the last.
  std::vector<uint32_t> FirstEntry;
  /// By warp, then by loop.
  std::vector<Lanes> AllLanes;
  std::vector<Entry> Followed;
};

/// The turns of the loops of a grid: of all blocks together, of some blocks
/// that are spread over it, and of those that turn most.
class LoopTurns {
public:
  /// \p Spread: the numbers of the blocks that are spread, ascending.
  LoopTurns(llvm::ArrayRef<TurnedLoop> Loops, unsigned NumThreads,
            std::vector<uint64_t> Spread);

  /// For block \p Number, which starts.
  BlockTurns *start(uint64_t Number);
  /// The block of \p Block has ended.
  void end(BlockTurns &Block);

  /// What was counted, when all have ended.
  CountedTurns take(Dim3 Grid, Dim3 Block);

private:
  double workOf(llvm::ArrayRef<TurnCount> Turns) const;
  void shareOut(CountedTurns &Counted) const;

  const llvm::ArrayRef<TurnedLoop> Loops;
  const unsigned NumThreads;
  const std::vector<uint64_t> Spread;
  std::mutex Lock;
  std::vector<std::unique_ptr<BlockTurns>> Blocks;
  std::vector<BlockTurns *> Free;
  /// By loop.
  std::vector<TurnCount> All;
  std::vector<uint64_t> NumWarpsIn;
  std::vector<CountedBlock> Kept;
  struct LongBlock {
    double Work;
    CountedBlock Block;
  };
  /// A heap, the one that works least in front.
  std::vector<LongBlock> Longest;
};

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_LOOPTURNS_H
