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
/// thread tries again a round trip later, or when L2 comes to it. While all
/// threads of a word try once, one of them wins where they come in the order of
/// their last tries, and more where L2 changes that order: the more of them
/// wait, the more. Threads have won one by one when the last does, so that half
/// of them try in the mean.
///
/// Source: H100, tries of each thread: 8 and 16 of 16 and 32 threads on a word,
/// 22 of 64, 70 of 273, 161 of 528, 256 of 1024, 1206 of 4224, 2537 of 16,384
/// (calibration/results/nvidia-h100: 2026-11-25T1600/cas-loops.csv and
/// 2026-11-27T0212/atomics.csv), which is 0.21 to 0.35 wins a round for each
/// unit of the logarithm. A word changes hands every 259 ns among 256 threads
/// of an SM, every 400 among 32, where a round trip takes 400.
SwapContention swapContention(const KernelFacts &Facts, uint32_t Index,
                              const ExecutionProfile &Profile,
                              double WarpsPerSm, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_SWAPCONTENTION_H
