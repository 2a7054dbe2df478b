//===- OccupancyLimit.cpp - The resource that limits resident warps -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherBlocks.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/WhatIf/CodeChanges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <optional>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// Gains up to this one are rounding errors.
static constexpr double WorthAWord = 1.005;

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

namespace {

/// A change that lets more warps in.
struct Way {
  std::string Change;
  unsigned WarpsAfter = 0;
  /// Unknown where the block would change and the code does not adapt to it.
  std::optional<Price> Gain;
};

} // namespace

static bool changesBlock(const OccupancyStep &Step) {
  return any_of(Step.Changes, [](const ResourceChange &Change) {
    return Change.Resource == OccupancyLimiter::Warps;
  });
}

/// The price of \p Step, which leaves the block as it is.
static Price priceStep(const Case &C, const OccupancyStep &Step) {
  LessResources Then;
  for (const ResourceChange &Change : Step.Changes) {
    switch (Change.Resource) {
    case OccupancyLimiter::Registers:
      Then.RegistersPerThread = unsigned(Change.To);
      break;
    case OccupancyLimiter::Shared:
      Then.SharedBytes = Change.To;
      break;
    case OccupancyLimiter::Barriers:
      Then.Barriers = unsigned(Change.To);
      break;
    case OccupancyLimiter::Warps:
    case OccupancyLimiter::Blocks:
    case OccupancyLimiter::Cluster:
      break;
    }
  }
  Price P = price(C, useResources(Then));
  // Plans do not go on from it: the code that takes less is not known.
  P.Fixed = nullptr;
  return P;
}

/// \p Step and larger blocks, which start less often.
static std::vector<Way> inLargerBlocks(const Case &C,
                                       const OccupancyStep &Step) {
  uint64_t Nearest = Step.Changes.front().To;
  std::vector<Way> Ways;
  for (uint64_t Threads : {Nearest, uint64_t(128), uint64_t(256)}) {
    if (Threads < Nearest || (Threads == Nearest && !Ways.empty()))
      continue;
    std::optional<OtherBlocks> Other = inBlocksOf(C, Threads);
    if (Other && Other->Predicted.WarpsPerSm >= Step.WarpsPerSm)
      Ways.push_back({changeText({OccupancyLimiter::Warps,
                                  C.Launched.threadsPerBlock(), Threads}),
                      Other->Predicted.WarpsPerSm, Other->Gain});
  }
  return Ways;
}

/// What an SM may hold then of what it holds now: a block more, or twice as
/// many where shared memory limits, of which a block can take half.
static std::vector<OccupancyStep> stepsToTry(const Case &C) {
  std::vector<OccupancyStep> Steps = nextSteps(C.Limits, C.Block);
  if (C.Predicted.Limiter == OccupancyLimiter::Shared)
    if (std::optional<OccupancyStep> Twice =
            stepTo(C.Limits, C.Block, 2 * C.Predicted.BlocksPerSm))
      Steps.push_back(std::move(*Twice));
  return Steps;
}

static std::vector<Way> waysToMoreWarps(const Case &C) {
  std::vector<Way> Ways;
  for (const OccupancyStep &Step : stepsToTry(C)) {
    if (changesBlock(Step) && adaptsToBlocks(C)) {
      append_range(Ways, inLargerBlocks(C, Step));
      continue;
    }
    Way W;
    interleave(
        Step.Changes,
        [&](const ResourceChange &Change) { W.Change += changeText(Change); },
        [&] { W.Change += " and "; });
    W.WarpsAfter = Step.WarpsPerSm;
    if (!changesBlock(Step))
      W.Gain = priceStep(C, Step);
    Ways.push_back(std::move(W));
  }
  return Ways;
}

/// The way that brings most; of ways without a price the one that lets most
/// warps in. Null when there is none.
static const Way *bestOf(ArrayRef<Way> Ways) {
  auto Rank = [](const Way &W) {
    double Gain = W.Gain ? W.Gain->Gain : 0;
    return std::tuple(Gain > WorthAWord ? Gain : 0, W.WarpsAfter);
  };
  const Way *Best = nullptr;
  for (const Way &W : Ways)
    if (!Best || Rank(W) > Rank(*Best))
      Best = &W;
  return Best;
}

/// Subject and verb.
static StringRef limiterText(std::optional<OccupancyLimiter> Limiter) {
  if (!Limiter)
    return "the hardware limits";
  switch (*Limiter) {
  case OccupancyLimiter::Registers:
    return "registers limit";
  case OccupancyLimiter::Shared:
    return "shared memory limits";
  case OccupancyLimiter::Blocks:
    return "the number of blocks limits";
  case OccupancyLimiter::Warps:
    return "the size of the blocks limits";
  case OccupancyLimiter::Barriers:
    return "barriers limit";
  case OccupancyLimiter::Cluster:
    return "the size of the clusters limits";
  }
  llvm_unreachable("not a limiter");
}

void gpuocc::findOccupancyLimit(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  unsigned Most = C.Limits.MaxWarpsPerSm.value_or(0);
  if (P.WarpsPerSm >= Most)
    return;
  FindingWriter W(RuleId::OccupancyLimit, kernelLocation(C.Facts));
  W << named("Limiter", limiterText(P.Limiter)) << " the SM to "
    << named("WarpsPerSm", Twine(P.WarpsPerSm)) << " of "
    << named("MaxWarpsPerSm", Twine(Most)) << " warps ("
    << named("BlocksPerSm", Twine(P.BlocksPerSm)) << " "
    << plural(P.BlocksPerSm, "block") << " of "
    << named("BlockThreads", Twine(C.Launched.threadsPerBlock())) << " "
    << plural(C.Launched.threadsPerBlock(), "thread") << ", "
    << named("Registers", Twine(C.Block.RegistersPerThread)) << " "
    << plural(C.Block.RegistersPerThread, "register") << " per thread, "
    << named("SharedBytes", Twine(C.Block.sharedBytes()))
    << " B of shared memory per block)";
  std::vector<Way> Ways = waysToMoreWarps(C);
  if (const Way *Best = bestOf(Ways)) {
    W << "; changing " << Best->Change << " gives "
      << named("WarpsAfter", Twine(Best->WarpsAfter));
    if (Best->Gain && Best->Gain->Gain > WorthAWord) {
      addPrice(W, *Best->Gain);
    } else if (Best->Gain) {
      W << ", which would not make this kernel faster";
      W.finding().Remark = RemarkKind::Analysis;
    }
  }
  Out.push_back(std::move(W.finding()));
}
