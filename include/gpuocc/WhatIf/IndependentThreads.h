//===- IndependentThreads.h - Kernels that fit any block --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_INDEPENDENTTHREADS_H
#define GPUOCC_WHATIF_INDEPENDENTTHREADS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"

namespace gpuocc {

/// True where threads meet or ask each other by \p Op: barriers, shuffles and
/// votes.
bool worksTogether(const Operation &Op);

/// True when threads of \p Facts, launched as \p L, do not work together: no
/// shared memory, barriers, shuffles or votes, and no block or cluster that the
/// code requires.
bool hasIndependentThreads(const KernelFacts &Facts, const Launch &L);

/// True when the kernel reads the extent of its block along x, which is the
/// only one, and its threads do not work together: then blocks of any size do
/// the same work.
bool adaptsToBlocks(const KernelFacts &Facts, const Launch &L);

/// True if blocks of \p Threads threads along x write to the shared memory that
/// the kernel has, where it does so outside loops.
bool fitSharedWords(const KernelFacts &Facts, const Launch &L,
                    uint64_t Threads);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_INDEPENDENTTHREADS_H
