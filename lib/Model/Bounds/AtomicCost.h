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
#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Cycles of a request of a global atomic, per SM while all are busy alike; 0
/// where nothing was measured.
struct AtomicCycles {
  /// For which it keeps L2 busy.
  double Busy = 0;
  /// The part of that which a request on words in all slices takes: what the
  /// slices of few words take is of the whole chip, whichever SMs ask.
  double BusyInAllSlices = 0;
  /// For which later atomics on the same words wait for it, while L2 serves
  /// others.
  double OneByOne = 0;
};

/// What a request of the global atomic \p A takes.
///
/// Words that are near each other lie in one slice of L2, which takes one
/// sector of a request after the other and in it the lanes that change
/// different words together: AccessProfile::SerializedPasses. A turn of one
/// lane takes as long as an integer on one word, unless all slices are busy,
/// one with all words of a sector as long as those of a line. The turns of a
/// sector, also of different words, wait for each other; other sectors are
/// served meanwhile. A few lines are as many slices as the table of contended
/// atomics says, or as their pieces reach by chance; many lie in all slices,
/// and then the rate is that of distinct addresses.
///
/// Floating-point numbers take longer on one word, and four doubles of a sector
/// longer than one. Compare-and-swaps that meet in a pair of sectors take as
/// long as those on a line.
///
/// Source: the contended atomics of the calibration (one word, the words of one
/// line, 2^1 to 2^20 words side by side and a line apart), and random words of
/// an H100 (calibration/results/nvidia-h100/2026-11-27T0212/atomics.csv): on 60
/// of them, additions of 32 bits take 13.3 turns of 1.4 cycles, of 8 bytes 19.6
/// of 1.4 in two slices, swaps 13.3 of 2.2.
AtomicCycles atomicCycles(const MemoryAccess &A, const AccessProfile &P,
                          Numbers &N);

/// The same of access \p Index of \p Facts, which passes over its array
/// together with its copies (areCopies).
AtomicCycles atomicCycles(const KernelFacts &Facts,
                          const ExecutionProfile &Profile, uint32_t Index,
                          Numbers &N);

/// Cycles of the whole chip, seen by one SM, that a request of stores \p P
/// occupies the sectors that the grid stores to: a sector takes one store after
/// the other, and what comes behind them waits.
///
/// Source: H200, a step of Jacobi with and without 65536 stores to one word,
/// 132 and 61 us: 1.08 ns more for each.
double storeTurnCycles(const AccessProfile &P, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_ATOMICCOST_H
