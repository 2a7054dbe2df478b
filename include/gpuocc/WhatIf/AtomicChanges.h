//===- AtomicChanges.h - Atomics that are combined --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_ATOMICCHANGES_H
#define GPUOCC_WHATIF_ATOMICCHANGES_H

#include "gpuocc/WhatIf/AccessChanges.h"

namespace gpuocc {

/// How much one of the atomics of a kernel is combined, or a store of one value
/// by all threads.
struct CombinedAtomic {
  uint32_t Access = 0;
  /// Lanes that meet on a word and become one; 1 where lanes are combined
  /// already and warps are meant.
  double Lanes = 1;
  /// Warps of a block that become one; 1 where lanes are meant.
  double Warps = 1;
  /// Lanes meet in runs: each takes over, by shuffles, what lanes before it
  /// have for its word.
  bool InRuns = false;
};

/// The profile of an atomic of \p BytesPerLane whose lanes, and those of the
/// next warps, update word after word \p Run times each, as where the loaded
/// indices of \p P are sorted. \p LanesOfWave update at a time.
AccessProfile inRuns(AccessProfile P, double Run, unsigned BytesPerLane,
                     double LanesOfWave, const MemoryGeometry &G);

/// Lanes of a warp, or warps of a block, are combined before they update.
Change combineAtomics(std::vector<CombinedAtomic> Atomics);

/// What each block counts in shared memory.
struct CountedWords {
  /// The atomics that update them.
  AccessList Accesses;
  double Words = 0;
  /// Blocks whose work one block does in turns, with the same words.
  double BlocksInTurn = 1;
};

/// Accesses update words in shared memory, and each block adds its words once
/// to those of the grid. Sectors and lines are those of \p G.
Change countInBlocks(std::vector<CountedWords> Counted, MemoryGeometry G);

/// A reduction that a thread makes once for several of its values, which it
/// combines in a register before.
struct SummedAtomic {
  uint32_t Access = 0;
  /// The loop behind which it is made; NoIndex where no loop is meant.
  uint32_t Loop = NoIndex;
  /// Blocks whose work one block does in turns, each thread for the word that
  /// it had.
  double BlocksInTurn = 1;
  /// All threads of a block, then, update one word, and one of them does it for
  /// all.
  bool IsOneWord = false;
};

/// The outermost loop around reduction \p Access of \p Facts all of whose
/// iterations update one word of a thread, which nothing else in the loop
/// reads or writes; NoIndex where there is none.
uint32_t loopOfOneWord(const KernelFacts &Facts, uint32_t Access);

/// Threads add up in registers what they update by \p Atomics.
Change sumInThreads(std::vector<SummedAtomic> Atomics);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_ATOMICCHANGES_H
