//===- RecordTurns.h - Branches that the best value so far takes -*- C++
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_RECORDTURNS_H
#define GPUOCC_LIB_LANES_ANALYSIS_RECORDTURNS_H

#include "Analysis/LoopNest.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace gpuocc {

/// A branch of which one side replaces what a thread keeps by a value that
/// beats it, in each turn of a loop anew:
///
///   if (d < Best) { Best = d; ... }    // in a register
///   if (d < Best[k]) Best[k] = d;      // at a place in memory
///
/// Of values in any order the n-th beats the n - 1 before it with a probability
/// of 1 / n, and is among the K best of them with one of K / n.
///
/// Source: Renyi 1962, "Theorie des elements saillants d'une suite
/// d'observations".
struct RecordTurns {
  /// The side that replaces it, an index in Branch::Targets.
  unsigned Side = 0;
  /// Loops that bring values to one that is kept, innermost first.
  llvm::SmallVector<uint32_t, 2> Loops;
  /// A turn of the innermost of them brings so many (of a loop that was
  /// unrolled), so many of them before this one.
  unsigned ValuesPerTurn = 1, ValuesBefore = 0;
  /// How many of the best values are kept up to this one: what an earlier
  /// branch replaced comes to the next (an insertion into a sorted list).
  unsigned Rank = 1;
  /// Loop each of whose turns goes through RanksPerTurn more, or NoIndex.
  uint32_t RankLoop = NoIndex;
  unsigned RanksPerTurn = 0;
};

/// What branch \p Index of \p Facts keeps in that manner; nothing if it
/// compares something else. \p Nest is that of \p Facts.
std::optional<RecordTurns> recordTurns(const KernelFacts &Facts,
                                       const LoopNest &Nest, uint32_t Index);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_RECORDTURNS_H
