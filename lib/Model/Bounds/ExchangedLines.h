//===- ExchangedLines.h - Lines that all warps load and store ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BOUNDS_EXCHANGEDLINES_H
#define GPUOCC_LIB_MODEL_BOUNDS_EXCHANGEDLINES_H

#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Cycles of the whole chip, seen by one SM, for which the words that each warp
/// loads, changes and stores again occupy the lines of L2 that hold them.
/// Arrays lie in other lines: the longest of theirs counts. An SM that has
/// blocks at all holds \p WarpsPerSm.
///
/// L1 does not keep what others store into: a word beside it is loaded from L2
/// behind the store, and each partition of L2 takes the line from the other.
/// Words in lines of their own, and lines that a request changes as a whole,
/// cost nothing (0.07 and 0.09 cycles of the chip, below).
///
/// Source: H200 (hot-words.csv of 2026-11-28T2345), 256 turns of all warps of
/// 132 SMs, cycles of the chip for a load and the store behind it: 17.8 in one
/// line, 9.4 in four and 2.4 in 16 where an SM has 32 warps; 10.4, 4.5 and 3.3
/// where it has 8, and 2.7, 3.0 and 4.7 where one, which waits for itself.
double exchangedLineCycles(const KernelFacts &Facts,
                           const ExecutionProfile &Profile, double WarpsPerSm,
                           Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_EXCHANGEDLINES_H
