//===- SweepsInStep.h - Warps that pass over the same words ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_SWEEPSINSTEP_H
#define GPUOCC_MODEL_SWEEPSINSTEP_H

#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// True if each warp passes over most of the sectors that the whole grid
/// changes with an atomic of profile \p P, in one order. How far apart the
/// warps are then decides how many of the words are changed at a time.
bool sweepsInStep(const AccessProfile &P);

/// The same of what the blocks that run together read with access \p Index and
/// its copies, where it is more than warps in step are apart.
bool readsInStep(const KernelFacts &Facts, const ExecutionProfile &Profile,
                 uint32_t Index);

/// Lines of which the load \p Index and a store behind it, which puts back what
/// was loaded, change words in the blocks that run together, if each of their
/// warps passes over most of the words, and a line holds words of several
/// requests; 0 otherwise. Sectors and lines have \p SectorBytes and
/// \p LineBytes.
double linesExchanged(const KernelFacts &Facts, const ExecutionProfile &Profile,
                      uint32_t Index, double SectorBytes, double LineBytes);

} // namespace gpuocc

#endif // GPUOCC_MODEL_SWEEPSINSTEP_H
