//===- ShareLoop.cpp - Loops that several threads could share -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ShareLoop.h"
#include "Geometry.h"
#include "Price.h"
#include "PricingBudget.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/WhatIf/AccessChanges.h"
#include "gpuocc/WhatIf/SerialSection.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <utility>
#include <vector>

using namespace gpuocc;
using namespace llvm;

/// The kernel has to be written anew.
static constexpr double WorthwhileShareLoop = 1.15;

static constexpr unsigned LanesPerWarp = 32;

namespace {

/// Loops that are shared together, and by how many that is best.
struct PricedLoops {
  std::vector<SharedLoop> Shared;
  /// Threads or warps.
  unsigned Sharers = 0;
  Price Gain;
};

} // namespace

/// The warps of a block combine their results in shared memory: more to write
/// than shuffles, which only a larger gain pays.
static constexpr double GainOfBlock = 1.5;

/// Of a block, that share loops between them.
static constexpr unsigned FewWarps = 8, ManyWarps = 32;

static double fewestValues(ArrayRef<SharedLoop> Loops) {
  double Fewest = Loops.front().Values;
  for (const SharedLoop &L : Loops)
    Fewest = std::min(Fewest, L.Values);
  return Fewest;
}

/// \p Shared by the lanes of a warp, or by the threads of a block where all of
/// them have iterations; or by some warps of a block.
static std::optional<PricedLoops> bestShare(const Case &C,
                                            ArrayRef<SharedLoop> Shared) {
  std::optional<PricedLoops> Best;
  const unsigned OfBlock = unsigned(C.Launched.threadsPerBlock());
  if (OfBlock % LanesPerWarp != 0)
    return Best;
  SmallVector<unsigned, 3> Sharers = {LanesPerWarp, OfBlock};
  if (Shared.front().By == ShareBy::Warps)
    Sharers = {FewWarps, ManyWarps};
  for (unsigned Count : Sharers) {
    if (fewestValues(Shared) < Count || (Best && Best->Sharers == Count))
      continue;
    Price Gain = price(C, shareLoops(Shared.vec(), Count));
    if (!Best || Gain.Gain > GainOfBlock * Best->Gain.Gain)
      Best = PricedLoops{Shared.vec(), Count, std::move(Gain)};
  }
  return Best;
}

/// One loop, or all that can be shared: a row that several loops go through.
/// Where lanes lie side by side they stay, unless that gains less.
static std::optional<PricedLoops> bestLoops(const Case &C) {
  std::optional<PricedLoops> Best;
  const KernelVariant V{C.Facts, C.Profile, C.Launched};
  for (ShareBy By : {ShareBy::Lanes, ShareBy::Warps}) {
    std::vector<SharedLoop> All;
    auto Try = [&](ArrayRef<SharedLoop> Loops) {
      std::optional<PricedLoops> Found = bestShare(C, Loops);
      if (Found && (!Best || Found->Gain.Gain > Best->Gain.Gain))
        Best = std::move(Found);
    };
    for (uint32_t I = 0;
         I != C.Facts.Loops.size() && All.size() < C.Budget.perRule(); ++I)
      if (std::optional<SharedLoop> Shared = sharedLoop(V, I, By)) {
        Try(*Shared);
        All.push_back(std::move(*Shared));
      }
    if (All.size() > 1)
      Try(All);
  }
  return Best;
}

/// What a loop without a result gains by its lanes alone, each thread as
/// before: that is UncoalescedAccess.
static double gainOfOrder(const Case &C, ArrayRef<SharedLoop> Loops) {
  std::vector<AccessList> Groups;
  for (const SharedLoop &L : Loops)
    for (uint32_t I = 0; I != L.StepBytes.size(); ++I)
      if (L.StepBytes[I])
        Groups.push_back({I});
  return price(C,
               coalesceAccesses(std::move(Groups),
                                geometryOf(C.Device, C.Predicted.BlocksPerSm)))
      .Gain;
}

static bool hasResults(ArrayRef<SharedLoop> Loops) {
  return any_of(Loops, [](const SharedLoop &L) { return L.Results != 0; });
}

static void describeWarps(const PricedLoops &Best, FindingWriter &W) {
  W << named("Warps", Twine(Best.Sharers))
    << " warps of a block take its iterations in turns (threadIdx.y), each for "
       "the 32 threads side by side that one went through it for, and combine "
       "their results in shared memory";
}

/// Loops that each thread of a block goes through to compute what all the
/// others compute, too.
static bool findRepeatedLoops(const Case &C, Findings &Out) {
  KernelVariant V{C.Facts, C.Profile, C.Launched};
  const std::vector<SerialSection> Found = repeatedLoops(V);
  if (Found.empty())
    return false;
  for (const SerialSection &Section : Found) {
    Expected<KernelVariant> Then = shareSection(Section).Apply(std::move(V));
    // It never fails.
    V = cantFail(std::move(Then));
  }
  const Price Gain = priceVariant(C, std::move(V));
  if (Gain.Gain < WorthwhileShareLoop)
    return false;
  const auto Most = llvm::max_element(
      Found, [](const auto &A, const auto &B) { return A.Values < B.Values; });
  FindingWriter W(
      RuleId::ShareLoop,
      locationOrKernel(C.Facts, C.Facts.Loops[Most->Loop].Location));
  if (!C.wants(W.finding()))
    return true;
  W << "each of the " << named("Threads", Twine(C.Launched.threadsPerBlock()))
    << " threads of a block combines the same "
    << named("Values", formatCount(Most->Values, "value"));
  if (Found.size() > 1)
    W << " in each of "
      << named("Loops", formatCount(double(Found.size()), "loop"));
  W << "; let each take every " << Twine(C.Launched.threadsPerBlock())
    << "th of them, combine the results of a warp by shuffles and those of the "
       "warps in shared memory";
  addPrice(W, Gain);
  Out.push_back(std::move(W.finding()));
  return true;
}

void gpuocc::findShareLoop(const Case &C, Findings &Out) {
  if (findRepeatedLoops(C, Out))
    return;
  std::optional<PricedLoops> Best = bestLoops(C);
  if (!Best || Best->Gain.Gain < WorthwhileShareLoop)
    return;
  const bool Combines = hasResults(Best->Shared);
  if (!Combines && Best->Gain.Gain < GainOfBlock * gainOfOrder(C, Best->Shared))
    return;
  const gpuocc::Loop &L = C.Facts.Loops[Best->Shared.front().Loop];
  FindingWriter W(RuleId::ShareLoop, locationOrKernel(C.Facts, L.Location));
  if (!C.wants(W.finding()))
    return;
  const uint64_t Blocks = C.Launched.Grid->Value.count();
  W << "each thread " << (Combines ? "combines " : "goes through ")
    << named("Values", formatCount(fewestValues(Best->Shared), "value"))
    << " alone, in ";
  if (Best->Shared.size() > 1)
    W << "each of "
      << named("Loops", formatCount(double(Best->Shared.size()), "loop"))
      << " and in ";
  W << named("Grid", formatCount(double(Blocks), "block")) << "; let ";
  if (Best->Shared.front().By == ShareBy::Warps)
    describeWarps(*Best, W);
  else
    W << "the " << named("Threads", Twine(Best->Sharers))
      << (Best->Sharers == LanesPerWarp ? " lanes of a warp"
                                        : " threads of a block")
      << " take its iterations in turns"
      << (Combines ? " and combine their results by shuffles" : "");
  W << ", in " << named("GridAfter", Twine(Blocks * Best->Sharers))
    << " blocks";
  addPrice(W, Best->Gain);
  Out.push_back(std::move(W.finding()));
}
