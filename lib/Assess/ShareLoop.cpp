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
#include "gpuocc/Kernel/GatheredAccess.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/WhatIf/AccessChanges.h"
#include "gpuocc/WhatIf/RereadWords.h"
#include "gpuocc/WhatIf/SerialSection.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
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
  /// Threads, warps or blocks.
  unsigned Sharers = 0;
  /// Where threads share them: in how many blocks for each of the grid.
  unsigned Blocks = 1;
  Price Gain;
  Launch Launched = {};
};

} // namespace

/// The warps of a block combine their results in shared memory: more to write
/// than shuffles, which only a larger gain pays.
static constexpr double GainOfBlock = 1.5;

/// Threads of several blocks have to be told from each other by both indices.
static constexpr double GainOfMoreBlocks = 1.1;

/// Through a loop that few lanes of a warp share.
static constexpr double MostPassesOfFew = 6;

/// Of a block, that share loops between them.
static constexpr unsigned FewWarps = 8, ManyWarps = 32;

static double fewestValues(ArrayRef<SharedLoop> Loops) {
  double Fewest = Loops.front().Values;
  for (const SharedLoop &L : Loops)
    Fewest = std::min(Fewest, L.Values);
  return Fewest;
}

/// Threads or warps that may share loops of \p Values iterations alike. Blocks
/// of few threads grow to whole warps, or to what is usual; few iterations are
/// left to few lanes.
static SmallVector<unsigned, 5> sharersOf(const Case &C, ShareBy By,
                                          double Values) {
  const unsigned OfBlock = unsigned(C.Launched.threadsPerBlock());
  if (By == ShareBy::Warps && OfBlock % LanesPerWarp == 0)
    return {FewWarps, ManyWarps};
  if (By != ShareBy::Lanes)
    return {};
  if (OfBlock % LanesPerWarp == 0) {
    SmallVector<unsigned, 5> Out;
    for (unsigned Lanes = 4; Lanes < LanesPerWarp; Lanes *= 2)
      if (Lanes <= Values && Values < MostPassesOfFew * Lanes)
        Out.push_back(Lanes);
    Out.append({LanesPerWarp, OfBlock});
    return Out;
  }
  constexpr unsigned Usual = 256;
  const Dim3 &Block = C.Launched.Block.Value;
  if (OfBlock > LanesPerWarp || Block.Y != 1 || Block.Z != 1)
    return {};
  SmallVector<unsigned, 5> Out = {LanesPerWarp};
  if (Usual % OfBlock == 0 && Usual / OfBlock > LanesPerWarp)
    Out.push_back(Usual / OfBlock);
  return Out;
}

static bool hasResults(ArrayRef<SharedLoop> Loops) {
  return any_of(Loops, [](const SharedLoop &L) { return L.Results != 0; });
}

static bool areRunning(ArrayRef<SharedLoop> Loops) {
  return any_of(Loops, [](const SharedLoop &L) { return L.IsRunning; });
}

static bool areSearches(ArrayRef<SharedLoop> Loops) {
  return any_of(Loops, [](const SharedLoop &L) { return L.IsSearch; });
}

/// The lanes of one warp alone share these.
static bool areOfOneWarp(ArrayRef<SharedLoop> Loops) {
  return areRunning(Loops) || areSearches(Loops);
}

/// Blocks of \p L that the SMs hold at a time, for each of its own.
static unsigned placesForEach(const Case &C, const KernelVariant &V) {
  const Known<double> SmCount = C.Device.get(Quantity::SmCount);
  if (!SmCount)
    return 1;
  const double Places =
      *SmCount *
      occupancy(C.Limits, blockResources(V.Facts, V.Launched)).BlocksPerSm;
  return unsigned(std::ceil(Places / double(V.Launched.Grid->Value.count())));
}

/// As \p Shared, whose iterations \p Threads threads take in turns in \p V,
/// where those are of several blocks: nothing is combined, and the SMs have
/// places.
static std::optional<PricedLoops> sharedFurther(const Case &C,
                                                ArrayRef<SharedLoop> Shared,
                                                unsigned Threads,
                                                const KernelVariant &V) {
  // Blocks of few threads grow first (bestBlocks).
  if (Shared.front().By != ShareBy::Lanes || hasResults(Shared) ||
      C.Launched.threadsPerBlock() < LanesPerWarp ||
      readsRegister(C.Facts, SpecialReg::NCtaIdX))
    return std::nullopt;
  const unsigned Most =
      unsigned(std::min(fewestValues(Shared) / Threads,
                        double(std::numeric_limits<unsigned>::max())));
  const unsigned Count = std::min(placesForEach(C, V), Most);
  if (Count < 2)
    return std::nullopt;
  std::vector<SharedLoop> ByBlocks(Shared);
  for (SharedLoop &L : ByBlocks)
    L.By = ShareBy::Blocks;
  // It never fails.
  KernelVariant Then =
      cantFail(shareLoops(std::move(ByBlocks), Count).Apply(V));
  Launch Launched = Then.Launched;
  return PricedLoops{Shared.vec(), Threads, Count,
                     priceVariant(C, std::move(Then)), std::move(Launched)};
}

/// \p V, whose \p Sharers threads go together through what one of \p C went
/// through alone: an SM has as many times fewer rows at a time, which L1 may
/// hold until the next loop goes through them.
///
/// Assumes that stores pass L1 by. Where the SMs hold all blocks at once, their
/// warps are in the same loop at a time, so that what one loop saves hides
/// nothing of another: those stay as they are.
static KernelVariant withRowsInL1(const Case &C, KernelVariant V,
                                  unsigned Sharers) {
  constexpr double LeastWaves = 2;
  const unsigned Blocks =
      occupancy(C.Limits, blockResources(V.Facts, V.Launched)).BlocksPerSm;
  const MemoryGeometry G = geometryOf(C.Device, Blocks);
  std::vector<RereadWords> Words =
      rereadWords({C.Facts, C.Profile, C.Launched});
  const double Rows = double(V.Launched.threadsPerBlock()) * Blocks / Sharers;
  double Bytes =
      double(V.Facts.StaticSharedBytes + V.Launched.DynamicSharedBytes.Value) *
      Blocks;
  for (const RereadWords &Of : Words)
    Bytes += Rows * Of.BytesOfThread;
  if (Words.empty() || Bytes > double(G.L1Bytes) ||
      double(V.Launched.Grid->Value.count()) <
          LeastWaves * G.SmCount * std::max(1u, Blocks))
    return V;
  // It never fails.
  return cantFail(findAgainInL1(std::move(Words)).Apply(std::move(V)));
}

/// \p Shared by the lanes of a warp, or by the threads of a block where all of
/// them have iterations; or by some warps of a block.
static std::optional<PricedLoops> bestShare(const Case &C,
                                            ArrayRef<SharedLoop> Shared) {
  std::optional<PricedLoops> Best;
  const double Values = fewestValues(Shared);
  for (unsigned Count : sharersOf(C, Shared.front().By, Values)) {
    if (Values < Count || (Best && Best->Sharers == Count) ||
        (Count != LanesPerWarp && areOfOneWarp(Shared)) ||
        (Count < LanesPerWarp && !hasResults(Shared) &&
         Shared.front().By == ShareBy::Lanes))
      continue;
    std::optional<KernelVariant> V =
        changed(C, shareLoops(Shared.vec(), Count));
    if (!V || !canBeLaunched(C, *V))
      continue;
    if (Shared.front().By == ShareBy::Lanes && Shared.size() > 1)
      V = withRowsInL1(C, std::move(*V), Count);
    std::optional<PricedLoops> More = sharedFurther(C, Shared, Count, *V);
    Launch Then = V->Launched;
    Price Gain = priceVariant(C, std::move(*V));
    PricedLoops Found{Shared.vec(), Count, 1, std::move(Gain), std::move(Then)};
    if (More && More->Gain.Gain > GainOfMoreBlocks * Found.Gain.Gain)
      Found = std::move(*More);
    const double Needed =
        Count > LanesPerWarp && hasResults(Shared) ? GainOfBlock : 1;
    if (!Best || Found.Gain.Gain > Needed * Best->Gain.Gain)
      Best = std::move(Found);
  }
  return Best;
}

/// \p Shared, which combine nothing, by the threads of more blocks where the
/// SMs have places for them. Blocks of few threads grow to what is usual first.
static std::optional<PricedLoops> bestBlocks(const Case &C,
                                             ArrayRef<SharedLoop> Shared) {
  // Those that know how many blocks there are share the work already.
  if (readsRegister(C.Facts, SpecialReg::NCtaIdX))
    return std::nullopt;
  KernelVariant V{C.Facts, C.Profile, C.Launched};
  double Values = fewestValues(Shared);
  if (C.Launched.threadsPerBlock() < LanesPerWarp) {
    const SmallVector<unsigned, 5> Threads =
        sharersOf(C, ShareBy::Lanes, Values);
    if (Threads.empty() || Values < 2 * Threads.back())
      return std::nullopt;
    std::vector<SharedLoop> ByLanes(Shared);
    for (SharedLoop &L : ByLanes)
      L.By = ShareBy::Lanes;
    Values /= Threads.back();
    V = cantFail(
        shareLoops(std::move(ByLanes), Threads.back()).Apply(std::move(V)));
  }
  const unsigned Most =
      unsigned(std::min(Values, double(std::numeric_limits<unsigned>::max())));
  const unsigned Places = std::min(placesForEach(C, V), Most);
  if (Places < 2)
    return std::nullopt;
  // A few blocks more may leave each one iteration.
  constexpr unsigned MostRounds = 4;
  std::optional<PricedLoops> Best;
  for (unsigned Count : {Places, std::min(Most, MostRounds * Places)}) {
    KernelVariant Then = cantFail(shareLoops(Shared.vec(), Count).Apply(V));
    Launch Launched = Then.Launched;
    PricedLoops Found{Shared.vec(), Count, 1, priceVariant(C, std::move(Then)),
                      std::move(Launched)};
    if (!Best || Found.Gain.Gain > GainOfMoreBlocks * Best->Gain.Gain)
      Best = std::move(Found);
    if (Count == Most)
      break;
  }
  return Best;
}

static bool areNested(const KernelFacts &Facts, uint32_t A, uint32_t B) {
  return is_contained(Facts.Loops[A].Blocks, Facts.Loops[B].Header) ||
         is_contained(Facts.Loops[B].Blocks, Facts.Loops[A].Header);
}

/// One loop, or all that can be shared: a row that several loops go through.
/// Where lanes lie side by side they stay, unless that gains less.
static std::optional<PricedLoops> bestLoops(const Case &C) {
  std::optional<PricedLoops> Best;
  const KernelVariant V{C.Facts, C.Profile, C.Launched};
  for (ShareBy By : {ShareBy::Lanes, ShareBy::Warps, ShareBy::Blocks}) {
    std::vector<SharedLoop> All;
    auto Try = [&](ArrayRef<SharedLoop> Loops) {
      std::optional<PricedLoops> Found =
          By == ShareBy::Blocks ? bestBlocks(C, Loops) : bestShare(C, Loops);
      if (Found && (!Best || Found->Gain.Gain > Best->Gain.Gain))
        Best = std::move(Found);
    };
    for (uint32_t I = 0;
         I != C.Facts.Loops.size() && All.size() < C.Budget.perRule(); ++I)
      if (std::optional<SharedLoop> Shared = sharedLoop(V, I, By)) {
        Try(*Shared);
        if (none_of(All, [&](const SharedLoop &Other) {
              return areNested(C.Facts, Other.Loop, I);
            }))
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
      // Where loaded indices decide, no other order of threads helps.
      if (L.StepBytes[I] &&
          C.Profile.Accesses[I].Exact != Exactness::DataDependent &&
          !isGathered(C.Facts, C.Profile, I))
        Groups.push_back({I});
  return price(C,
               coalesceAccesses(std::move(Groups),
                                geometryOf(C.Device, C.Predicted.BlocksPerSm)))
      .Gain;
}

static void describeWarps(const PricedLoops &Best, FindingWriter &W) {
  W << "let " << named("Warps", Twine(Best.Sharers))
    << " warps of a block take its iterations in turns (threadIdx.y), each for "
       "the 32 threads side by side that one went through it for, and combine "
       "their results in shared memory";
}

static void describeBlocks(const Case &C, const PricedLoops &Best,
                           FindingWriter &W) {
  W << "which leaves places on the SMs empty; let "
    << named("Blocks", Twine(Best.Sharers))
    << " blocks take the iterations of one in turns";
  if (C.Launched.Grid->Value.count() == 1)
    W << " (from blockIdx.x * blockDim.x + threadIdx.x on in steps of "
         "gridDim.x * blockDim.x)";
  if (hasResults(Best.Shared))
    W << " and combine what each has come to (by an atomic, or in a second "
         "kernel)";
}

static void describeLanes(const PricedLoops &Best, FindingWriter &W) {
  W << (Best.Sharers < LanesPerWarp ? "let " : "let the ")
    << named("Threads", Twine(Best.Sharers))
    << (Best.Sharers <= LanesPerWarp ? " lanes of a warp"
                                     : " threads of a block");
  if (Best.Blocks > 1)
    W << ", in each of " << named("Blocks", formatCount(Best.Blocks, "block"))
      << " for one,";
  W << " take its iterations in turns"
    << (areRunning(Best.Shared)
            ? ", combine by shuffles what lanes have before each other, and "
              "hand the last lane's on"
        : areSearches(Best.Shared)
            ? " and vote (__ballot_sync) on who has found it first"
        : hasResults(Best.Shared) ? " and combine their results by shuffles"
                                  : "");
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
  if (Most->Times > 1)
    W << ", " << named("Times", formatCount(Most->Times, "time")) << " over";
  W << "; let each take every " << Twine(C.Launched.threadsPerBlock())
    << "th of them"
    << (Most->Times > 1 ? " once, in front of the loop around them" : "")
    << ", combine the results of a warp by shuffles and those of the warps in "
       "shared memory";
  addPrice(W, Gain);
  Out.push_back(std::move(W.finding()));
  return true;
}

/// Where the loop is written: its test is, which jumps back. Code in front of
/// it may be all that tells where it begins.
static uint32_t placeOfLoop(const KernelFacts &Facts, const gpuocc::Loop &L) {
  for (uint32_t Latch : L.Latches) {
    const uint32_t Branch = Facts.Blocks[Latch].Branch;
    if (Branch == NoIndex || Facts.Branches[Branch].Op == NoIndex)
      continue;
    const uint32_t Place = Facts.Operations[Facts.Branches[Branch].Op].Location;
    if (Facts.placeOf(Place).isValid())
      return Place;
  }
  return L.Location;
}

void gpuocc::findShareLoop(const Case &C, Findings &Out) {
  if (findRepeatedLoops(C, Out))
    return;
  std::optional<PricedLoops> Best = bestLoops(C);
  if (!Best || Best->Gain.Gain < WorthwhileShareLoop)
    return;
  const bool Combines = hasResults(Best->Shared);
  const ShareBy By = Best->Shared.front().By;
  const Dim3 &Block = C.Launched.Block.Value;
  const bool IsOfFew = C.Launched.threadsPerBlock() < LanesPerWarp;
  if (!Combines && By == ShareBy::Lanes && !IsOfFew &&
      Best->Gain.Gain < GainOfBlock * gainOfOrder(C, Best->Shared))
    return;
  const gpuocc::Loop &L = C.Facts.Loops[Best->Shared.front().Loop];
  FindingWriter W(RuleId::ShareLoop,
                  locationOrKernel(C.Facts, placeOfLoop(C.Facts, L)));
  if (!C.wants(W.finding()))
    return;
  W << "each thread "
    << (Combines                    ? "combines "
        : areSearches(Best->Shared) ? "searches "
                                    : "goes through ")
    << named("Values", formatCount(fewestValues(Best->Shared), "value"))
    << " alone, in ";
  if (Best->Shared.size() > 1)
    W << "each of "
      << named("Loops", formatCount(double(Best->Shared.size()), "loop"))
      << " and in ";
  W << named("Grid",
             formatCount(double(C.Launched.Grid->Value.count()), "block"));
  if (IsOfFew)
    W << " of " << named("Block", formatCount(double(Block.X), "thread"));
  W << (By == ShareBy::Blocks ? ", " : "; ");
  switch (By) {
  case ShareBy::Lanes:
    describeLanes(*Best, W);
    break;
  case ShareBy::Warps:
    describeWarps(*Best, W);
    break;
  case ShareBy::Blocks:
    describeBlocks(C, *Best, W);
    break;
  }
  W << ", in " << named("GridAfter", Twine(Best->Launched.Grid->Value.count()))
    << " "
    << plural(std::to_string(Best->Launched.Grid->Value.count()), "block");
  if (IsOfFew)
    W << " of " << named("BlockAfter", Twine(Best->Launched.Block.Value.X))
      << " threads";
  addPrice(W, Best->Gain);
  Out.push_back(std::move(W.finding()));
}
