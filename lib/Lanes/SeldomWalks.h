//===- SeldomWalks.h - Code behind conditions that seldom hold -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_SELDOMWALKS_H
#define GPUOCC_LIB_LANES_SELDOMWALKS_H

#include "ComparePriors.h"
#include "Reach.h"
#include "WarpPlan.h"
#include "WarpWalker.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

class Recorder;

/// Walks in which what seldom holds for whole warps (`flag[v] == 7`) does so at
/// once. Such a condition holds in no walk that comes to it three times or
/// less, and the code behind it would vanish from findings and prices.
class SeldomWalks {
public:
  /// Share of the warps that these walks stand for.
  static constexpr double Share = SeldomShare;

  /// By the warps in the middle block of \p Planned, which are at least one.
  SeldomWalks(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
              const WalkLimits &Limits, llvm::ArrayRef<PlannedWarp> Planned);

  /// True if the first of them gets to code that others perhaps get to, other
  /// than by exits of loops.
  bool reachMore(llvm::ArrayRef<BlockReach> Reach) const;

  /// Walks all of them into \p Into; they stand for \p NumWarps warps.
  void addTo(Recorder &Into, double NumWarps) const;

private:
  const KernelFacts &Facts;
  const Slice &S;
  LaunchInputs &Inputs;
  WalkLimits Limits;
  std::vector<PlannedWarp> Warps;
  /// Of all warps together.
  double Weight = 0;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_SELDOMWALKS_H
