//===- SwapTurns.h - Which lanes' compare-and-swaps take place --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_SWAPTURNS_H
#define GPUOCC_LIB_LANES_SWAPTURNS_H

#include "WalkEvents.h"
#include "WalkMemory.h"
#include <vector>

namespace gpuocc {

/// The compare-and-swaps of one warp that are tried until they take place.
///
/// Of the lanes on one word one succeeds in a turn, so that n lanes take n
/// turns. A turn is lost where another warp of the block swapped between the
/// load and the swap of this one. That is half of a turn, which is a way to
/// shared memory and back for the load and another one for the swap: with k
/// warps on a word, each success costs 1 + (k - 1) / 2 turns. The others leave
/// as they succeed, so that of them n / (n + 1) are there in the mean; of k - 1
/// others, as many were walked before as will be after.
///
/// Heuristic: half. Evidence: over floats and doubles, 1, 4 and 32 lanes on a
/// word, with and without other work, 2 to 8 warps
/// take 1.6, 2.5, 3.0, 3.4, 3.9, 4.2 and 4.6 turns a success in the mean
/// (1.5, 2.0, 2.5, 3.0, 3.5, 4.0 and 4.5 expected); with eight they take
/// from 1.1, where warps seldom meet, to 7.2, where all load before the first
/// swaps (swap-turns.csv of the calibration's results). Tested by
/// Atomics.WarpsOfABlockLoseTurnsToEachOther.
class SwapTurns {
public:
  explicit SwapTurns(const KernelFacts &Facts) : Of(Facts.Accesses.size()) {}

  void beginWarp() { Of.assign(Of.size(), Turns()); }

  /// The active lanes of \p E begin to try.
  void begin(const AccessEvent &E, WalkMemory &Memory);

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
  std::vector<Turns> Of;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_SWAPTURNS_H
