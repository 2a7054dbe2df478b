//===- SwapTurns.h - Which lanes' compare-and-swaps take place --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_SWAPTURNS_H
#define GPUOCC_LIB_LANES_WALK_SWAPTURNS_H

#include "Walk/WalkEvents.h"
#include "Walk/WalkMemory.h"
#include <algorithm>
#include <vector>

namespace gpuocc {

/// The compare-and-swaps of one warp that are tried until they take place.
///
/// Of the lanes on one word one succeeds in a turn, so that n lanes take n
/// turns. A turn is lost where another warp of the block swapped between the
/// load and the swap of this one: with k warps on a word, each success costs
/// 1 + (k - 1) L turns, where L is a guess (guessSwapTurns). The others leave
/// as they succeed, so that of them n / (n + 1) are there in the mean. The
/// warps that were walked before tell how many of the k are on a word.
///
/// A warp that waits for global memory between its swaps is not there all of
/// the time: of S + W turns in S, if its swaps take S and what it waits for W.
class SwapTurns {
public:
  /// A turn costs one of another warp \p Lost turns.
  SwapTurns(const KernelFacts &Facts, double Lost);

  void beginWarp() { Of.assign(Of.size(), Turns()); }

  /// The active lanes of \p E begin to try, in a block of \p Warps warps.
  /// \returns whether they lose turns to other warps.
  bool begin(const AccessEvent &E, WalkMemory &Memory, unsigned Warps);

  /// The next warps stand for \p Warps of their block each.
  void setAlike(unsigned Warps) { Alike = std::max(1u, Warps); }

  /// The turn at \p Access in which the swap of \p Lane takes place, from 1.
  uint64_t turnOf(uint32_t Access, unsigned Lane) const {
    return Of[Access].Done[Lane];
  }

private:
  /// Of one access.
  struct Turns {
    /// How often it was begun.
    unsigned Begun = 0;
    std::array<uint64_t, WarpLanes> Done = {};
  };
  const double LostToOther;
  /// Of each access: turns that a warp is elsewhere between two of them.
  std::vector<double> Away;
  unsigned Alike = 1;
  std::vector<Turns> Of;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_SWAPTURNS_H
