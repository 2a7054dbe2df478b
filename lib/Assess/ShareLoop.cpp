//===- ShareLoop.cpp - Loops that several threads could share -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ShareLoop.h"
#include "Price.h"
#include "PricingBudget.h"
#include "gpuocc/Report/Selection.h"
#include <algorithm>
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// The kernel has to be written anew.
static constexpr double WorthwhileGain = 1.15;

static constexpr unsigned LanesPerWarp = 32;

namespace {

/// A loop, and by how many threads it is best shared.
struct PricedLoop {
  SharedLoop Shared;
  unsigned Threads = 0;
  Price Gain;
};

} // namespace

/// The warps of a block combine their results in shared memory: more to write
/// than shuffles, which only a larger gain pays.
static constexpr double GainOfBlock = 1.5;

/// \p Shared by the lanes of a warp, or by the threads of a block where all of
/// them have iterations.
static std::optional<PricedLoop> bestShare(const Case &C,
                                           const SharedLoop &Shared) {
  std::optional<PricedLoop> Best;
  const unsigned OfBlock = unsigned(C.Launched.threadsPerBlock());
  for (unsigned Threads : {LanesPerWarp, OfBlock}) {
    if (OfBlock % LanesPerWarp != 0 || Shared.Values < Threads ||
        (Best && Best->Threads == Threads))
      continue;
    Price Gain = price(C, shareLoop(Shared, Threads));
    if (!Best || Gain.Gain > GainOfBlock * Best->Gain.Gain)
      Best = PricedLoop{Shared, Threads, std::move(Gain)};
  }
  return Best;
}

static std::optional<PricedLoop> bestLoop(const Case &C) {
  std::optional<PricedLoop> Best;
  const KernelVariant V{C.Facts, C.Profile, C.Launched};
  size_t Left = C.Budget.perRule();
  for (uint32_t I = 0; I != C.Facts.Loops.size() && Left != 0; ++I) {
    const std::optional<SharedLoop> Shared = sharedLoop(V, I);
    if (!Shared)
      continue;
    --Left;
    std::optional<PricedLoop> Found = bestShare(C, *Shared);
    if (Found && (!Best || Found->Gain.Gain > Best->Gain.Gain))
      Best = std::move(Found);
  }
  return Best;
}

void gpuocc::findShareLoop(const Case &C, Findings &Out) {
  std::optional<PricedLoop> Best = bestLoop(C);
  if (!Best || Best->Gain.Gain < WorthwhileGain)
    return;
  const gpuocc::Loop &L = C.Facts.Loops[Best->Shared.Loop];
  FindingWriter W(RuleId::ShareLoop, locationOrKernel(C.Facts, L.Location));
  if (!C.wants(W.finding()))
    return;
  const uint64_t Blocks = C.Launched.Grid->Value.count();
  W << "each thread combines "
    << named("Values", formatCount(Best->Shared.Values, "value"))
    << " alone, in " << named("Grid", formatCount(double(Blocks), "block"))
    << "; let the " << named("Threads", Twine(Best->Threads))
    << (Best->Threads == LanesPerWarp ? " lanes of a warp"
                                      : " threads of a block")
    << " take its iterations in turns and combine their results by shuffles, "
       "in "
    << named("GridAfter", Twine(Blocks * Best->Threads)) << " blocks";
  addPrice(W, Best->Gain);
  Out.push_back(std::move(W.finding()));
}
