//===- IssuePairs.h - Instructions that issue together ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_ISSUEPAIRS_H
#define GPUOCC_LIB_MODEL_LATENCY_ISSUEPAIRS_H

#include "Latency/LatencyGraph.h"
#include "gpuocc/Support/InstClass.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

struct IssueSlot;
class WarpSchedule;

/// Marks those of \p Turns that a scheduler issues with the instruction before
/// them: neighbours of one block that do not depend on each other, at most
/// \p Width of them at once. Two accesses of memory are never issued together,
/// nor is anything with a jump or a fence before it.
///
/// Source: Volkov 2016, section 3.8 and Listing 3.5 (Kepler), where pairs are
/// taken greedily in program order and loads are not paired with loads.
void markIssuedTogether(const KernelFacts &Facts, const LatencyGraph &Graph,
                        unsigned Width, llvm::MutableArrayRef<IssueSlot> Turns);

/// Instructions of each class that a warp issues with the one before them and
/// that take no slot of the scheduler.
PerInstClass<double> issuedTogether(const KernelFacts &Facts,
                                    const ExecutionProfile &Profile,
                                    const LatencyGraph &Graph,
                                    const WarpSchedule &Schedule);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_ISSUEPAIRS_H
