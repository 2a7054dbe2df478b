//===- NeededOccupancy.cpp - Warps needed against warps available ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherBlocks.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/WhatIf/CopyStages.h"
#include <cmath>
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// The price of smaller blocks, which reach more SMs with the same work;
/// nothing when the code does not adapt to them.
static std::optional<Price> priceSmallerBlocks(const Case &C) {
  std::optional<Price> Best;
  if (!adaptsToBlocks(C))
    return Best;
  for (uint64_t Threads : {32, 64, 128}) {
    if (Threads >= C.Launched.threadsPerBlock())
      break;
    if (std::optional<OtherBlocks> Other = inBlocksOf(C, Threads))
      if (!Best || Other->Gain.Gain > Best->Gain)
        Best = Other->Gain;
  }
  return Best;
}

/// Copies bring most of what is read: their stages are what is under way, and
/// more warps are only one way to have more of them.
static std::optional<CopyPipeline> copiesThatCount(const Case &C) {
  constexpr double Most = 0.5;
  std::optional<CopyPipeline> Found =
      copyPipeline(C.Facts, C.Profile, unsigned(C.Launched.warpsPerBlock()));
  return Found && Found->ShareOfReads > Most ? Found : std::nullopt;
}

void gpuocc::findNeededOccupancy(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  if (P.Bounds.empty())
    return;
  FindingWriter W(RuleId::NeededOccupancy, kernelLocation(C.Facts));
  auto Most = C.Limits.MaxWarpsPerSm.value_or(0);
  StringRef Bound = unitText(P.Bounds.front().What);
  const std::string Needed = formatWarps(P.Needed.P90);
  const bool IsNumber = std::isfinite(P.Needed.P90);
  if (IsNumber)
    W << "hiding the latency takes " << named("NeededWarps", Needed) << " "
      << plural(Needed, "warp") << " per SM for 90 % of the bound by " << Bound;
  else
    W << "no number of warps reaches 90 % of the bound by " << Bound;
  W << ", " << named("AvailableWarps", Twine(P.WarpsPerSm))
    << (P.WarpsPerSm == 1 ? " is" : " are") << " available";
  if (P.ActiveWarpsPerSm < P.WarpsPerSm)
    W << " and " << named("ActiveWarps", formatNumber(P.ActiveWarpsPerSm))
      << " active on average";
  // The verdict says as much, OccupancyLimit and DependencyChain what to do.
  W.finding().Remark = RemarkKind::Analysis;
  if (P.Needed.P90 <= P.ActiveWarpsPerSm) {
    W << ": more would bring little";
  } else if (const std::optional<CopyPipeline> Copies = copiesThatCount(C)) {
    W << ": more or larger stages of copies than "
      << named("Stages", Twine(Copies->Stages)) << " of "
      << named("StageBytes", formatNumber(Copies->BytesOfStage))
      << " B have more bytes under way";
  } else if (P.WarpsPerSm >= P.Needed.P90) {
    W << ": the grid is too small to fill the SMs; launch more or smaller "
         "blocks";
    W.finding().Remark = RemarkKind::Passed;
    if (std::optional<Price> Smaller = priceSmallerBlocks(C);
        Smaller && Smaller->Gain > C.Options.MinimumGain)
      addPrice(W, *Smaller);
  } else if (!IsNumber) {
    W << ": warps get in each other's way, so give each warp more independent "
         "work";
  } else if (P.Needed.P90 > Most) {
    W << ": no occupancy is enough (" << Twine(Most)
      << " is the most), so give each warp more independent work";
  } else {
    W << ": raise occupancy or give each warp more independent work";
  }
  Out.push_back(std::move(W.finding()));
}
