//===- RecordProbability.h - How often a value beats those before it *- C++
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_RECORDPROBABILITY_H
#define GPUOCC_KERNEL_RECORDPROBABILITY_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Gives their odds to the branches of greatest and least values that are kept
/// with an atomic:
///
///   while (Value > Kept && (Seen = atomicCAS(&Place, Kept, Value)) != Kept)
///     Kept = Seen;
///   if (Value > Place)
///     atomicMax(&Place, Value);
///
/// The atomic is on the side of those that beat what the place holds. Of n
/// values in any order the k-th beats the k - 1 before it with a probability of
/// 1 / k, all together n of them do so H(n) / n of the time.
///
/// Heuristic: n is the 2048 threads of an SM, as the number of values that meet
/// in one place is not known. Evidence: atomicCAS and lebesgue of HeCBench, in
/// which 14 and 320 instructions a warp are executed with a few swaps in all.
/// RecordProbabilityTest would notice a change.
///
/// Source: Renyi 1962, "Theorie des elements saillants d'une suite
/// d'observations".
void findRecords(KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_RECORDPROBABILITY_H
