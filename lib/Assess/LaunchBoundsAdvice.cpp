//===- LaunchBoundsAdvice.cpp - Launch bounds and block sizes that pay ----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "OtherBlocks.h"
#include "gpuocc/Assembler/SpillCode.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// Advice is given from this speed-up on; less is within what the model can
/// tell apart.
static constexpr double WorthwhileLaunchBoundsAdvice = 1.02;

namespace {

/// Another way to compile or launch the kernel.
struct Alternative {
  ResourceUse Resources;
  Dim3 Block;
  Prediction Predicted;
  Price Gain;
};

} // namespace

static uint64_t spillBytes(const ResourceUse &Use) {
  return Use.SpillLoadBytes + Use.SpillStoreBytes;
}

/// True where the grid has no more blocks than the SMs hold as they are: that
/// more would fit helps no block.
static bool hasPlaceForAll(const Case &C) {
  const Known<double> SmCount = C.Device.get(Quantity::SmCount);
  return C.Launched.Grid && SmCount &&
         double(C.Launched.Grid->Value.count()) <=
             *SmCount * occupancy(C.Limits, C.Block).BlocksPerSm;
}

/// The kernel under each register limit that lets more warps in. In machine
/// code there is no telling where other registers would be spilled.
static std::vector<Alternative> underRegisterLimits(const Case &C) {
  std::vector<Alternative> Found;
  if (hasPlaceForAll(C))
    return Found;
  for (const ResourceUse &Use : C.Facts.LimitedResources) {
    bool SpillsOther = spillBytes(Use) != spillBytes(C.Facts.Resources);
    if (SpillsOther && (C.Facts.isInIssueOrder() || C.IsFixed))
      continue;
    BlockResources Block = C.Block;
    Block.RegistersPerThread = Use.RegistersPerThread;
    Occupancy Then = occupancy(C.Limits, Block);
    if (Then.WarpsPerSm <= C.Predicted.WarpsPerSm)
      continue;
    KernelFacts Facts = SpillsOther ? C.Unspilled : C.Facts;
    Facts.Resources = Use;
    std::optional<ExecutionProfile> Profile;
    if (SpillsOther) {
      Facts = withSpillCode(Facts);
      // What cannot be placed cannot be priced.
      SpilledBytes Placed = spilledBytes(Facts);
      if (Placed.Stored + Placed.Loaded < spillBytes(Use))
        continue;
      Profile = profileLaunch(Facts, C.Launched,
                              geometryOf(C.Device, Then.BlocksPerSm),
                              C.Options.Lanes);
    }
    Prediction P = C.Model.predict(Facts, Profile ? *Profile : C.Profile,
                                   C.Launched, PredictDetail::Comparison);
    Price Gain = comparePredictions(C, P);
    Gain.Fixed = std::make_shared<const KernelVariant>(
        KernelVariant{std::move(Facts),
                      Profile ? std::move(*Profile) : C.Profile, C.Launched});
    Found.push_back({Use, C.Launched.Block.Value, std::move(P), Gain});
  }
  return Found;
}

static std::vector<Alternative> withOtherBlocks(const Case &C) {
  std::vector<Alternative> Found;
  if (!adaptsToBlocks(C))
    return Found;
  for (uint64_t Threads : {64, 128, 256, 512, 1024})
    if (std::optional<OtherBlocks> Other = inBlocksOf(C, Threads))
      Found.push_back({C.Facts.Resources, Other->Launched.Block.Value,
                       std::move(Other->Predicted), Other->Gain});
  return Found;
}

/// Why nothing is to be changed.
static void writeNothingPays(const Case &C, FindingWriter &W) {
  const Prediction &P = C.Predicted;
  unsigned Most = C.Limits.MaxWarpsPerSm.value_or(0);
  W << (adaptsToBlocks(C) ? "leave launch bounds and block size as they are: "
                          : "leave launch bounds as they are: ");
  if (P.Bounds.empty()) {
    W << "nothing is known to bound the kernel";
    return;
  }
  StringRef Bound = unitText(P.Bounds.front().What);
  if (std::isfinite(P.Needed.P90))
    W << named("NeededWarps", formatWarps(P.Needed.P90))
      << (P.Needed.P90 <= 1 ? " warp per SM reaches" : " warps per SM reach")
      << " 90 % of the bound by " << Bound;
  else
    W << "no number of warps reaches 90 % of the bound by " << Bound;
  W << ", " << named("WarpsPerSm", Twine(P.WarpsPerSm))
    << (P.WarpsPerSm == 1 ? " is" : " are") << " resident";
  if (P.Needed.P90 <= P.WarpsPerSm) {
    W << ", so more occupancy is useless";
    return;
  }
  if (P.WarpsPerSm >= Most) {
    W << " and no SM holds more; fewer warps with more independent work each "
         "would be better";
    return;
  }
  if (C.Facts.Resources.IsEstimate) {
    W << "; whether fewer registers let more in cannot be told without ptxas";
    return;
  }
  const ResourceUse *Spilling = nullptr;
  for (const ResourceUse &Use : C.Facts.LimitedResources)
    if (!Spilling && spillBytes(Use) > spillBytes(C.Facts.Resources))
      Spilling = &Use;
  if (Spilling)
    W << "; with " << named("Registers", Twine(Spilling->RegistersPerThread))
      << plural(Spilling->RegistersPerThread, " register") << " per thread "
      << named("SpillBytes", Twine(spillBytes(*Spilling)))
      << " B are spilled, and more warps do not make up for it; give each warp "
         "more independent work instead";
  else
    W << "; neither registers nor block size bring a gain";
}

/// Another way leaves the same blocks more registers and brings the same.
static bool isNeedlesslyStrict(const Alternative &Way,
                               ArrayRef<Alternative> Ways) {
  constexpr double TheSame = 1.01;
  return any_of(Ways, [&](const Alternative &Other) {
    return Other.Block == Way.Block &&
           Other.Resources.RegistersPerThread >
               Way.Resources.RegistersPerThread &&
           spillBytes(Other.Resources) <= spillBytes(Way.Resources) &&
           Other.Gain.Gain * TheSame >= Way.Gain.Gain;
  });
}

/// The way that brings most, if it is worth it. Of ways that bring about as
/// much, one that spills less: it leans less on how memory is predicted.
static const Alternative *bestOf(ArrayRef<Alternative> Ways,
                                 double MinimumGain) {
  constexpr double AboutAsMuch = 1.05;
  double Most = std::max(WorthwhileLaunchBoundsAdvice, MinimumGain);
  for (const Alternative &Way : Ways)
    Most = std::max(Most, Way.Gain.Gain);
  const Alternative *Best = nullptr;
  for (const Alternative &Way : Ways) {
    if (Way.Gain.Gain < std::max(WorthwhileLaunchBoundsAdvice, MinimumGain) ||
        Way.Gain.Gain * AboutAsMuch < Most || isNeedlesslyStrict(Way, Ways))
      continue;
    auto Preference = [](const Alternative &A) {
      return std::tuple(spillBytes(A.Resources), -A.Gain.Gain);
    };
    if (!Best || Preference(Way) < Preference(*Best))
      Best = &Way;
  }
  return Best;
}

void gpuocc::findLaunchBoundsAdvice(const Case &C, Findings &Out) {
  if (!C.Options.AdviseLaunches)
    return;
  std::vector<Alternative> Ways = underRegisterLimits(C);
  for (Alternative &Other : withOtherBlocks(C))
    Ways.push_back(std::move(Other));
  const Alternative *Best = bestOf(Ways, C.Options.MinimumGain);
  // Where blocks start too slowly, other blocks may pay that nobody tried.
  const bool WaitsForStarts =
      !C.Predicted.Bounds.empty() &&
      C.Predicted.Bounds.front().What == Resource::Launch;
  if (!Best && WaitsForStarts && !adaptsToBlocks(C))
    return;
  FindingWriter W(RuleId::LaunchBoundsAdvice, kernelLocation(C.Facts));
  if (!Best) {
    writeNothingPays(C, W);
    Out.push_back(std::move(W.finding()));
    return;
  }
  bool SameBlock = Best->Block == C.Launched.Block.Value;
  if (SameBlock)
    W << "set __launch_bounds__("
      << named("Threads", Twine(C.Launched.threadsPerBlock())) << ", "
      << named("BlocksPerSm", Twine(Best->Predicted.BlocksPerSm)) << ")";
  else
    W << "launch blocks of " << named("Threads", Twine(Best->Block.count()))
      << " threads instead of " << Twine(C.Launched.threadsPerBlock());
  unsigned Now = C.Predicted.WarpsPerSm, After = Best->Predicted.WarpsPerSm;
  if (After == Now)
    W << ": " << named("WarpsPerSm", Twine(Now))
      << (Now == 1 ? " warp per SM is" : " warps per SM are")
      << " resident as before, in "
      << named("BlocksPerSm", Twine(Best->Predicted.BlocksPerSm))
      << plural(Best->Predicted.BlocksPerSm, " block") << " instead of "
      << Twine(C.Predicted.BlocksPerSm);
  else
    W << ": " << named("WarpsAfter", Twine(After))
      << (After == 1 ? " warp per SM is" : " warps per SM are")
      << " resident instead of " << named("WarpsPerSm", Twine(Now));
  if (SameBlock) {
    W << ", with "
      << named("Registers", Twine(Best->Resources.RegistersPerThread))
      << " registers per thread"
      << formatChange(Best->Resources.RegistersPerThread,
                      C.Facts.Resources.RegistersPerThread)
      << " (" << named("RegistersFrom", Best->Resources.Source) << ")";
    if (uint64_t Bytes = spillBytes(Best->Resources))
      W << " and " << named("SpillBytes", Twine(Bytes)) << " B spilled";
  }
  addPrice(W, Best->Gain);
  Out.push_back(std::move(W.finding()));
}
