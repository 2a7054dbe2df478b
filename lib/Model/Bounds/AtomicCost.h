//===- AtomicCost.h - What a global atomic costs L2 -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BOUNDS_ATOMICCOST_H
#define GPUOCC_LIB_MODEL_BOUNDS_ATOMICCOST_H

#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// Cycles of a request of a global atomic, per SM while all are busy alike; 0
/// where nothing was measured.
struct AtomicCycles {
  /// For which it keeps L2 busy.
  double Busy = 0;
  /// For which later atomics on the same words wait for it, while L2 serves
  /// others.
  double OneByOne = 0;
};

/// What a request of the global atomic \p A takes.
///
/// Words that are near each other lie in one slice of L2, which takes one
/// sector of a request after the other and in it the lanes that change
/// different words together: AccessProfile::TurnsPerRequest. Turns on the same
/// word wait for each other. A few lines are as many slices as they have
/// pieces; many lie in all slices, and then the rate is that of distinct
/// addresses.
///
/// Floating-point numbers take longer on one word, doubles also on several of a
/// sector. Lanes that compare and swap take twice as long as others where all
/// of a sector do; turns of few lanes take no longer (16 words of 64 bits, 16
/// lanes in 9 turns: 1.9 lanes a cycle; H100, cas-loops.csv of 2026-11-25).
///
/// Source: the contended atomics of the calibration on an H200 (one word, the
/// words of one line, 2^1 to 2^20 words side by side and a line apart). A turn
/// takes 1.25 cycles with 32 lanes on 8 words (4 turns), 16 (4) and 32 (4), and
/// 1.45 with 1 word (32), 2 (16) and 4 (8).
AtomicCycles atomicCycles(const MemoryAccess &A, const AccessProfile &P,
                          Numbers &N);

/// Cycles of the whole chip, seen by one SM, that a request of stores \p P
/// occupies the sectors that the grid stores to: a sector takes one store after
/// the other.
double storeTurnCycles(const AccessProfile &P, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_ATOMICCOST_H
