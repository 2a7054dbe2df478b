//===- ComparePriors.h - How often unknown comparisons hold ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_COMPAREPRIORS_H
#define GPUOCC_LIB_LANES_COMPAREPRIORS_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// How often a comparison of values that nobody knows holds.
struct ComparePrior {
  double Share = 0.5;
  /// What is rare is so for all lanes of a warp alike; otherwise each lane
  /// draws for itself.
  bool ForWarp = false;
  bool operator==(const ComparePrior &) const = default;
};

/// Heuristic: numbers are seldom equal to each other or to a constant, integers
/// are seldom negative or zero: the comparisons of the opcode heuristic (Ball
/// and Larus 1993, "Branch Prediction for Free"), which is right in 84 of 100
/// executions (Wu and Larus 1994, "Static Branch Frequency and Program Profile
/// Analysis", table 1), and of the zero heuristic of LLVM's
/// BranchProbabilityInfo. No number is a NaN or infinite, and magnitudes are
/// within the range in which special functions take their fast path. Not so for
/// values of which there are few: the n values that a mask or a remainder
/// leaves are taken to be equally frequent, flags (of one byte, or one of two
/// constants) to be as often set as not. What is rare is so for whole warps if
/// the values are words; characters and such differ from lane to lane.
ComparePrior comparePrior(const KernelFacts &Facts, const Operation &Compare);

/// Is \p O made of conditions, masks of the lanes that meet them, constants,
/// arguments and indices only? A comparison of two such values is evaluated:
/// the conditions were drawn already.
bool isMadeOfConditions(const KernelFacts &Facts, const Operand &O);

/// Share of executions in which \p Condition holds as far as a comparison
/// behind it tells, through negations; one half if none does.
ComparePrior conditionPrior(const KernelFacts &Facts, const Operand &Condition);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_COMPAREPRIORS_H
