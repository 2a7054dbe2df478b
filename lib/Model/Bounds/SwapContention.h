//===- SwapContention.h - Loops of compare-and-swap ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BOUNDS_SWAPCONTENTION_H
#define GPUOCC_LIB_MODEL_BOUNDS_SWAPCONTENTION_H

#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// What warps of other blocks add to a loop that repeats a compare-and-swap
/// until it takes place.
struct SwapContention {
  /// Requests over those of the warps of one block alone.
  double TimesRequests = 1;
  /// Cycles of the chip per warp, seen by one SM, for which the words change
  /// hands.
  double HandOverCycles = 0;
};

/// The contention of access \p Index while each SM holds \p WarpsPerSm warps;
/// none for an access that is no such loop, or whose words are not counted.
///
/// A swap fails if another one took place since the thread saw the word. A
/// thread tries again a round trip later, or when L2 comes to it, and while
/// all threads of a word try once, 1.5 of them win. Lanes that have won wait
/// for those of their warp that have not, so that half of the lanes try: a
/// third of a try for each thread on the word.
///
/// Source: 33 to 33,792 threads on 1 to 256 words (H100,
/// calibration/results/nvidia-h100/2026-11-25T1600/cas-loops.csv): 0.23 to 0.5
/// tries for each thread on a word, and a word changes hands every 259 ns
/// where a round trip takes 400.
SwapContention swapContention(const KernelFacts &Facts, uint32_t Index,
                              const ExecutionProfile &Profile,
                              double WarpsPerSm, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_SWAPCONTENTION_H
