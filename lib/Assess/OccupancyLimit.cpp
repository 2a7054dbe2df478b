//===- OccupancyLimit.cpp - The resource that limits resident warps -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/Model/Predict.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// "registers per thread from 40 to 32".
static std::string changeText(const ResourceChange &Change) {
  StringRef What;
  switch (Change.Resource) {
  case OccupancyLimiter::Registers:
    What = "registers per thread";
    break;
  case OccupancyLimiter::Shared:
    What = "shared memory per block";
    break;
  case OccupancyLimiter::Warps:
    What = "threads per block";
    break;
  case OccupancyLimiter::Barriers:
    What = "barriers per block";
    break;
  case OccupancyLimiter::Blocks:
  case OccupancyLimiter::Cluster:
    What = occupancyLimiterKey(Change.Resource);
    break;
  }
  StringRef Unit = Change.Resource == OccupancyLimiter::Shared ? " B" : "";
  return (What + " from " + Twine(Change.From) + " to " + Twine(Change.To) +
          Unit)
      .str();
}

/// The price of \p Step; nothing when the block itself would change, which
/// changes what each warp does.
static std::optional<Price> priceStep(const Case &C,
                                      const OccupancyStep &Step) {
  KernelFacts Facts = C.Facts;
  Launch Launched = C.Launched;
  for (const ResourceChange &Change : Step.Changes) {
    switch (Change.Resource) {
    case OccupancyLimiter::Registers:
      Facts.Resources.RegistersPerThread = unsigned(Change.To);
      break;
    case OccupancyLimiter::Shared:
      Facts.StaticSharedBytes = Change.To;
      Launched.DynamicSharedBytes.Value = 0;
      break;
    case OccupancyLimiter::Barriers:
      Facts.Resources.Barriers = unsigned(Change.To);
      break;
    case OccupancyLimiter::Warps:
    case OccupancyLimiter::Blocks:
    case OccupancyLimiter::Cluster:
      return std::nullopt;
    }
  }
  return comparePredictions(C, predict(Facts, C.Profile, Launched, C.Device,
                                       PredictDetail::Comparison));
}

/// Subject and verb for each word of Prediction::OccupancyLimiter.
static StringRef limiterText(StringRef Limiter) {
  struct Row {
    StringLiteral Word, Text;
  };
  static constexpr Row Rows[] = {
      {"registers", "registers limit"},
      {"shared", "shared memory limits"},
      {"blocks", "the number of blocks limits"},
      {"warps", "the size of the blocks limits"},
      {"barriers", "barriers limit"},
      {"cluster", "the size of the clusters limits"},
  };
  for (const Row &R : Rows)
    if (R.Word == Limiter)
      return R.Text;
  return "the hardware limits";
}

void gpuocc::findOccupancyLimit(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  unsigned Most = C.Limits.MaxWarpsPerSm.value_or(0);
  if (P.WarpsPerSm >= Most)
    return;
  FindingWriter W(RuleId::OccupancyLimit, kernelLocation(C.Facts));
  W << named("Limiter", limiterText(P.OccupancyLimiter)) << " the SM to "
    << named("WarpsPerSm", Twine(P.WarpsPerSm)) << " of "
    << named("MaxWarpsPerSm", Twine(Most)) << " warps ("
    << named("BlocksPerSm", Twine(P.BlocksPerSm)) << " blocks of "
    << named("BlockThreads", Twine(C.Launched.threadsPerBlock()))
    << " threads, " << named("Registers", Twine(C.Block.RegistersPerThread))
    << " registers per thread, "
    << named("SharedBytes", Twine(C.Block.sharedBytes()))
    << " B of shared memory per block)";
  const OccupancyStep *Best = nullptr;
  std::vector<OccupancyStep> Steps = nextSteps(C.Limits, C.Block);
  for (const OccupancyStep &Step : Steps)
    if (!Best || Step.WarpsPerSm > Best->WarpsPerSm)
      Best = &Step;
  if (!Best) {
    Out.push_back(std::move(W.finding()));
    return;
  }
  W << "; changing ";
  for (size_t I = 0; I != Best->Changes.size(); ++I)
    W << (I ? " and " : "") << changeText(Best->Changes[I]);
  W << " gives " << named("WarpsAfter", Twine(Best->WarpsPerSm));
  std::optional<Price> Step = priceStep(C, *Best);
  if (Step && Step->Gain > 1.005)
    addPrice(W, *Step);
  else if (Step)
    W << ", which would not make this kernel faster";
  Out.push_back(std::move(W.finding()));
}
