//===- BranchProbability.h - How often branches go a way --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_SLICE_BRANCHPROBABILITY_H
#define GPUOCC_LIB_LANES_SLICE_BRANCHPROBABILITY_H

#include "Slice/Slice.h"
#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// "file:line", base name of the file: a key of Launch::BranchProbabilities,
/// TripCounts and Places. Empty if unknown.
std::string placeText(const SourcePlace &Place);

/// The side of a branch by which people know it: machine code may have turned
/// the condition around.
struct BranchSide {
  /// Index in Branch::Targets.
  unsigned Target = 0;
  /// Line at which the code of that side begins, in the file of the branch.
  unsigned Line = 0;
};

/// The side of \p Branch whose code comes first in the source behind the
/// condition: what an `if` guards, else what comes next. Nothing if it is no
/// two-way branch or has no place in the source.
std::optional<BranchSide> sideInSource(const KernelFacts &Facts,
                                       uint32_t Branch);

/// Blocks that are reached by target \p Target of \p Branch alone, before both
/// sides meet.
std::vector<uint32_t> blocksOfSide(const KernelFacts &Facts, uint32_t Branch,
                                   unsigned Target);

/// What is taken for the odds of a branch, in words and in numbers.
struct AssumedProbability {
  Assumption InWords;
  BranchProbabilityProfile InNumbers;
};

/// How often branches of \p Profile go which way that loaded data decides and
/// on which more than a twentieth of the instructions rests. Exits of loops
/// with a trip count are left out, and branches in \p Given, whose odds the
/// launch gives. Loops that no walked warp gets to take \p DefaultTripCount.
std::vector<AssumedProbability> assumedProbabilities(
    const KernelFacts &Facts, const Slice &S, const ExecutionProfile &Profile,
    llvm::ArrayRef<std::optional<double>> Given, double DefaultTripCount);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_SLICE_BRANCHPROBABILITY_H
