//===- AsyncCopy.cpp - Tiles that could be loaded ahead -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/WhatIf/CopyAhead.h"
#include "gpuocc/WhatIf/CopyStages.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// The change touches the whole loop.
static constexpr double WorthwhileAsyncCopy = 1.1;

/// The price with one tile ahead, of \p All with as many as the latency takes:
/// an iteration takes what it waits or what it works, whichever is longer.
///
///   before = work + wait; all = before / work; one = before / max(work, wait)
static Price withOneTileAhead(Price All) {
  constexpr double WorkIsWait = 2;
  if (All.Gain <= WorkIsWait)
    return All;
  All.Gain = All.Gain / (All.Gain - 1);
  All.BoundAfter = Resource::Latency;
  All.Fixed = nullptr;
  return All;
}

/// Copies that are too few ahead to hide what they wait for.
static void findMoreStages(const Case &C, Findings &Out) {
  const std::optional<CopyPipeline> Now =
      copyPipeline(C.Facts, C.Profile, unsigned(C.Launched.warpsPerBlock()));
  if (!Now)
    return;
  // Another doubling is worth its shared memory.
  constexpr double WorthwhileStep = 1.05;
  // No deeper one was measured.
  constexpr unsigned MostStages = 8;
  std::optional<Price> Best;
  unsigned Stages = Now->Stages, SharedBytes = 0;
  for (unsigned To = 2 * Now->Stages; To <= MostStages; To *= 2) {
    std::optional<KernelVariant> V =
        changed(C, copyFurtherAhead(*Now, To - Now->Stages));
    if (!V || !canBeLaunched(C, *V))
      break;
    const unsigned Bytes = blockResources(V->Facts, V->Launched).sharedBytes();
    Price P = priceVariant(C, std::move(*V));
    if (P.Gain < (Best ? WorthwhileStep * Best->Gain : WorthwhileAsyncCopy))
      break;
    Best = std::move(P);
    Stages = To;
    SharedBytes = Bytes;
  }
  if (!Best)
    return;
  FindingWriter W(RuleId::AsyncCopy, locationOfAccess(C.Facts, Now->FirstCopy));
  W.finding().Access = Now->FirstCopy;
  W << "the block waits for copies of which "
    << named("Stages", formatCount(Now->Stages, "stage")) << " of "
    << named("StageBytes", formatNumber(Now->BytesOfStage)) << " B "
    << (Now->Stages == 1 ? "is" : "are")
    << " under way or in use; copy further ahead with "
    << named("MoreStages", Twine(Stages)) << " stages ("
    << named("SharedBytes", Twine(SharedBytes))
    << " B of shared memory per block instead of "
    << Twine(C.Block.sharedBytes()) << ")";
  addPrice(W, *Best);
  Out.push_back(std::move(W.finding()));
}

void gpuocc::findAsyncCopy(const Case &C, Findings &Out) {
  constexpr unsigned FirstWithCopies = 80;
  if (C.Facts.isInIssueOrder() ||
      architectureNumber(C.Facts.Architecture) < FirstWithCopies)
    return;
  findMoreStages(C, Out);
  const std::vector<StagedWord> All = wordsToCopyAhead(C.Facts);
  if (All.empty())
    return;
  std::optional<KernelVariant> Ahead = changed(C, copyAhead(All));
  if (!Ahead || !canBeLaunched(C, *Ahead))
    return;
  const BlockResources Block = blockResources(Ahead->Facts, Ahead->Launched);
  const Price P = withOneTileAhead(priceVariant(C, std::move(*Ahead)));
  if (P.Gain < WorthwhileAsyncCopy)
    return;
  const uint32_t First = C.Facts.Operations[All.front().Load].Access;
  FindingWriter W(RuleId::AsyncCopy, locationOfAccess(C.Facts, First));
  W.finding().Access = First;
  W << "all warps of a block wait at a barrier for "
    << named("Loads", formatCount(double(All.size()), "load"))
    << " into shared memory; copy the next tile with cp.async while this one "
       "is used ("
    << named("SharedBytes", Twine(Block.sharedBytes()))
    << " B of shared memory per block instead of "
    << Twine(C.Block.sharedBytes()) << ")";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}
