//===- DivergentLoop.cpp - Lanes that leave a loop at different times -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mend.h"
#include "Price.h"

using namespace gpuocc;
using namespace llvm;

/// Lanes of equal trip counts share warps: a warp iterates as often as its mean
/// lane.
static ExecutionProfile balanced(const Case &C, uint32_t Index) {
  ExecutionProfile Mended = C.Profile;
  LoopProfile &L = Mended.Loops[Index];
  for (uint32_t Block : C.Facts.Loops[Index].Blocks)
    scaleBlock(C.Facts, Mended, Block, L.LaneBalance);
  L.TripCount *= L.LaneBalance;
  L.LaneBalance = 1;
  return Mended;
}

void gpuocc::findDivergentLoop(const Case &C, Findings &Out) {
  for (uint32_t I = 0; I != C.Profile.Loops.size(); ++I) {
    const LoopProfile &L = C.Profile.Loops[I];
    const gpuocc::Loop &Loop = C.Facts.Loops[I];
    if (L.LaneBalance >= 1 || L.LaneBalance <= 0 ||
        C.Profile.Blocks[Loop.Header].ExecutionsPerWarp <= 0)
      continue;
    FindingWriter W(RuleId::DivergentLoop,
                    locationOrKernel(C.Facts, Loop.Location));
    W.finding().Exact = L.Exact;
    W << "divergent loop: lanes of a warp leave it at different times; the "
         "longest takes "
      << named("TripCount", formatNumber(L.TripCount))
      << " iterations, the mean lane "
      << named("MeanTripCount", formatNumber(L.TripCount * L.LaneBalance))
      << "; give the lanes of a warp work of equal length";
    addPrice(W, priceProfile(C, balanced(C, I)));
    Out.push_back(std::move(W.finding()));
  }
}
