//===- DivergentLoop.cpp - Lanes that leave a loop at different times -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DivergentLoop.h"
#include "Price.h"
#include "PricingBudget.h"
#include "gpuocc/WhatIf/ControlChanges.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// A loop that the assembler made of an atomic, whose lanes take turns.
static bool isRetry(const KernelFacts &Facts, const gpuocc::Loop &L) {
  return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
    return A.Combining == LaneCombining::Retried &&
           Facts.Operations[A.Op].Block == L.Header;
  });
}

bool gpuocc::isDivergentLoop(const Case &C, uint32_t Index) {
  const LoopProfile &L = C.Profile.Loops[Index];
  const gpuocc::Loop &Loop = C.Facts.Loops[Index];
  return L.LaneBalance < 1 && L.LaneBalance > 0 && !isRetry(C.Facts, Loop) &&
         C.Profile.Blocks[Loop.Header].ExecutionsPerWarp > 0;
}

/// The loops that lanes leave at different times, in their order; of many,
/// those in which warps issue most for lanes that have left.
static std::vector<uint32_t> divergentLoops(const Case &C) {
  std::vector<std::pair<double, uint32_t>> Ranked;
  for (uint32_t I = 0; I != C.Profile.Loops.size(); ++I) {
    const LoopProfile &L = C.Profile.Loops[I];
    const gpuocc::Loop &Loop = C.Facts.Loops[I];
    if (!isDivergentLoop(C, I))
      continue;
    double Lost = 0;
    for (uint32_t Block : Loop.Blocks)
      Lost += instructionsOfBlock(C.Facts, C.Profile, Block);
    Ranked.push_back({-Lost * (1 - L.LaneBalance), I});
  }
  llvm::sort(Ranked);
  C.Budget.keepPriced(RuleId::DivergentLoop, Ranked);
  std::vector<uint32_t> Loops;
  for (auto &[Lost, I] : Ranked)
    Loops.push_back(I);
  llvm::sort(Loops);
  return Loops;
}

void gpuocc::findDivergentLoop(const Case &C, Findings &Out) {
  for (uint32_t I : divergentLoops(C)) {
    const LoopProfile &L = C.Profile.Loops[I];
    const gpuocc::Loop &Loop = C.Facts.Loops[I];
    FindingWriter W(RuleId::DivergentLoop,
                    locationOrKernel(C.Facts, Loop.Location));
    W.finding().Exact = L.Exact;
    if (!C.wants(W.finding()))
      continue;
    W << "divergent loop: lanes of a warp leave it at different times; the "
         "longest takes "
      << named("TripCount", formatNumber(L.TripCount))
      << " iterations, the mean lane "
      << named("MeanTripCount", formatNumber(L.TripCount * L.LaneBalance))
      << "; give the lanes of a warp work of equal length";
    addPrice(W, C, balanceLoop(I));
    Out.push_back(std::move(W.finding()));
  }
}
