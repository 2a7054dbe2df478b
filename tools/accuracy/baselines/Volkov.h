//===- Volkov.h - the models of Volkov's thesis in closed form --*- C++ -*-===//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_BASELINES_VOLKOV_H
#define GPUOCC_TOOLS_ACCURACY_BASELINES_VOLKOV_H

#include "AlphaMix.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace gpuocc::volkov {

/// Cycles of a group when one warp runs alone:
///
///   latency = mem_lat + alpha alu_lat
///
/// Source: Volkov 2016, section 4.1.
double groupLatency(const AlphaMix &M);

/// Highest rate of groups that the hardware allows, per cycle and SM:
///
///   min(mem_thru, alu_thru / alpha, issue_thru / (alpha + 1))
///
/// Source: Volkov 2016, section 4.1.
double throughputBound(const AlphaMix &M);

/// Groups per cycle with \p Warps resident: min(warps / latency, bound).
///
/// Source: Volkov 2016, section 4.1 and Table 4.2.
double throughput(const AlphaMix &M, double Warps);

/// Warps at which throughput() reaches the bound: latency x bound.
///
/// Source: Volkov 2016, section 4.5.
double neededWarps(const AlphaMix &M);

/// Memory latency over memory throughput:
///
///   latency(x) = A + sum of B x / (C - x)
///
/// A and B in cycles, x and C in memory instructions per cycle and SM.
/// Source: Volkov 2016, section 6.4; one term for every GPU in Table 6.5, two
/// for a closer fit of the G80.
struct Contention {
  struct Term {
    double B = 0, C = 0;
  };
  double A = 0;
  llvm::SmallVector<Term, 2> Terms;

  double latency(double MemPerCycle) const;
};

/// Groups per cycle with \p Warps resident when memory latency grows with
/// load: the x at which
///
///   x = min(warps / (latency(x) + alpha alu_lat), bound)
///
/// Source: Volkov 2016, section 6.5; solved by bisection as there.
double refinedThroughput(const AlphaMix &M, const Contention &Memory,
                         double Warps);

/// Fewest warps at which refinedThroughput() reaches \p Fraction of the bound:
///
///   fraction bound (latency(fraction bound) + alpha alu_lat)
///
/// Source: Volkov 2016, sections 4.5 and 6.5.
double refinedNeededWarps(const AlphaMix &M, const Contention &Memory,
                          double Fraction);

} // namespace gpuocc::volkov

#endif // GPUOCC_TOOLS_ACCURACY_BASELINES_VOLKOV_H
