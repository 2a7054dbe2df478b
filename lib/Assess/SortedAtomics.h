//===- SortedAtomics.h - Atomics whose indices may be sorted ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `atomicAdd(&y[row[i]], ...)`: rows, segments and keys are often sorted, and
/// neighbouring lanes update one word then. Nobody says so; where each word is
/// updated often, what it would cost, and what combining the lanes would bring,
/// is told under that condition.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_SORTEDATOMICS_H
#define GPUOCC_LIB_ASSESS_SORTEDATOMICS_H

#include "AccessGroups.h"
#include "Rules.h"

namespace gpuocc {

/// Updates of each word by reduction \p Index, whose loaded indices would be
/// sorted if they were; 0 where threads do not load them side by side, where
/// code or launch says which words they are, or words get few updates.
double updatesIfSorted(const Case &C, uint32_t Index);

/// Appends the finding for \p Group of such reductions to \p Out.
void writeSorted(const Case &C, const AccessGroup &Group, Findings &Out);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_SORTEDATOMICS_H
