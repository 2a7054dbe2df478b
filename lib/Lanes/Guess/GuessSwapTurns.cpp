//===- GuessSwapTurns.cpp - Turns that warps take from each other -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guess/Guessers.h"

using namespace gpuocc;

/// Heuristic: half. A turn is a way to shared memory and back for the load and
/// another one for the swap; it is lost where another warp swaps in between.
/// Evidence: over floats and doubles, 1, 4 and 32 lanes on a word, with and
/// without other work, 2 to 8 warps take 1.6, 2.5, 3.0, 3.4, 3.9, 4.2 and 4.6
/// turns a success in the mean (1.5, 2.0, 2.5, 3.0, 3.5, 4.0 and 4.5 expected);
/// with eight they take from 1.1, where warps seldom meet, to 7.2, where all
/// load before the first swaps (swap-turns.csv of the calibration's results).
/// Tested by Atomics.WarpsOfABlockLoseTurnsToEachOther.
std::optional<Guess> gpuocc::guessSwapTurns(const GuessContext & /*Context*/,
                                            int64_t /*Index*/) {
  Guess G;
  G.Value = 0.5;
  G.Evidence = "half of a turn lies between its load and its swap";
  return G;
}
