//===- NeededOccupancy.cpp - Warps needed against warps available ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/Report/DiagnosisText.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// The gain of as many warps as an SM can hold, read off the curve.
static Price priceFullOccupancy(const Case &C) {
  Price P;
  double Best = C.Predicted.WarpsPerCycle;
  double Most = C.Limits.MaxWarpsPerSm.value_or(0);
  for (const CurvePoint &Point : C.Predicted.Curve)
    if (Point.Warps <= Most)
      Best = std::max(Best, Point.WarpsPerCycle);
  if (C.Predicted.WarpsPerCycle > 0)
    P.Gain = Best / C.Predicted.WarpsPerCycle;
  if (C.Predicted.Needed.P90 <= Most && !C.Predicted.Bounds.empty())
    P.BoundAfter = C.Predicted.Bounds.front().What;
  return P;
}

void gpuocc::findNeededOccupancy(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  if (P.Bounds.empty())
    return;
  FindingWriter W(RuleId::NeededOccupancy, kernelLocation(C.Facts));
  auto Most = C.Limits.MaxWarpsPerSm.value_or(0);
  StringRef Bound = unitText(P.Bounds.front().What);
  W << "hiding the latency takes "
    << named("NeededWarps", formatWarps(P.Needed.P90))
    << " warps per SM for 90 % of the bound by " << Bound << ", "
    << named("AvailableWarps", Twine(P.WarpsPerSm)) << " are available";
  if (P.ActiveWarpsPerSm < P.WarpsPerSm)
    W << " and " << named("ActiveWarps", formatNumber(P.ActiveWarpsPerSm))
      << " active on average";
  if (P.Needed.P90 <= P.ActiveWarpsPerSm) {
    W << ": more would bring little";
    W.finding().Remark = RemarkKind::Analysis;
    Out.push_back(std::move(W.finding()));
    return;
  }
  if (P.Needed.P90 > Most)
    W << ": no occupancy is enough (" << Twine(Most)
      << " is the most), so give each warp more independent work";
  else if (P.WarpsPerSm >= P.Needed.P90)
    W << ": the grid is too small to fill the SMs";
  else
    W << ": raise occupancy or give each warp more independent work";
  if (Price Full = priceFullOccupancy(C); Full.Gain > 1)
    addPrice(W, Full);
  Out.push_back(std::move(W.finding()));
}
