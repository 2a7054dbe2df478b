//===- HotLines.h - Lines that all SMs read at a time -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BOUNDS_HOTLINES_H
#define GPUOCC_LIB_MODEL_BOUNDS_HOTLINES_H

#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// Cycles of the whole chip, seen by one SM, for which the loads of a warp
/// occupy the slices of L2 that hold what the blocks that run together read at
/// a time. Accesses that are no copies of each other lie in other slices: of
/// them the longest. 0 where nothing is known, or all lie in most slices.
///
/// A slice takes a line in the time of an atomic of one lane, however many of
/// its sectors are asked for. Each partition of L2 keeps a copy of what is
/// read.
///
/// Source: H200, loads of all warps (hot-lines.csv of 2026-11-28): 1.65
/// requests a cycle of one place, 1.45 of 8 sectors in 256 bytes, 2.5 of 512
/// and 1024 bytes, 5.3 of 2048; of whole lines 1.59 and of four of them 0.82
/// from as many bytes. Atomics of one lane on one word are 0.69 in one
/// partition. An H100 reads one sector alone, eight times a warp, 3 times a
/// cycle (hot-sectors.csv of 2026-11-25), which is not modelled.
double hotLineCycles(const KernelFacts &Facts, const ExecutionProfile &Profile,
                     Numbers &N);

/// The most that an access and its copies have of \p Cycles together, one
/// number an access of \p Facts.
double mostOfCopies(const KernelFacts &Facts, llvm::ArrayRef<double> Cycles);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_HOTLINES_H
