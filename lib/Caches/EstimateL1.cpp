//===- EstimateL1.cpp - Expected hits in L1 -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheEstimate.h"
#include "L1Simulation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// Where most of the hits come from.
static std::string reuseText(const HitCount &Count) {
  double Hits = Count.hits();
  if (Count.Sectors == 0)
    return "";
  std::string Text;
  raw_string_ostream OS(Text);
  if (Hits < 0.005 * Count.Sectors) {
    OS << "no sector is touched again while it is in L1";
    return Text;
  }
  OS << format("%.0f %% of the sectors are in L1, left there mostly by ",
               100 * Hits / Count.Sectors);
  if (Count.SameWarp >= Count.SameBlock && Count.SameWarp >= Count.OtherBlock)
    OS << "the warp itself";
  else if (Count.SameBlock >= Count.OtherBlock)
    OS << "other warps of the block";
  else
    OS << "other blocks on the SM";
  return Text;
}

/// Loads that must see what other SMs wrote: volatile ones, and those with an
/// order. Copies that pass L1 by (cp.async.cg): of pictures whose pixels 32
/// lanes copy, 16 bytes of each at a time, L2 is asked for all of their sectors
/// twice (H200: 35.4 million sectors, 32.9 million so, 19.7 if L1 had the other
/// half).
static bool isServedByL2(const MemoryAccess &A) {
  return A.Volatile &&
         (A.Kind == AccessKind::Load || A.Kind == AccessKind::AsyncCopy) &&
         (A.Space == MemorySpace::Global || A.Space == MemorySpace::Generic);
}

/// Of the warps that were walked, blocks of such that make the accesses that
/// \p IsWanted: one for each access, each block once.
static std::vector<Dim3> blocksThatMake(const ExecutionProfile &Profile,
                                        function_ref<bool(size_t)> IsWanted) {
  std::vector<Dim3> Blocks;
  for (size_t I = 0; I != Profile.Accesses.size(); ++I) {
    if (!IsWanted(I))
      continue;
    const auto Makes = find_if(Profile.Samples, [&](const WarpSample &S) {
      return I < S.RequestShares.size() && S.RequestShares[I] > 0;
    });
    if (Makes != Profile.Samples.end() &&
        !is_contained(Blocks, Makes->BlockIndex))
      Blocks.push_back(Makes->BlockIndex);
  }
  return Blocks;
}

/// Of several accesses that a load waits for, the one that it waits for most.
static void noteAwaited(const HitCount &Count, AccessProfile &P) {
  const auto Most = llvm::max_element(Count.AwaitOther, less_second());
  if (Most == Count.AwaitOther.end())
    return;
  P.AwaitedAccess = Most->first;
  P.AwaitsOtherFraction = Most->second / Count.Waiting;
}

/// AccessProfile::L1WaitsByRequest.
static std::vector<double> waitsByRequest(const HitCount &Count) {
  // A warp that makes twice as many requests as the mean one may wait for half
  // of them as often.
  constexpr double Uneven = 2, Differs = 0.05;
  if (Count.MostOfWarp < Uneven * Count.Requests / Count.Warps)
    return {};
  const double Mean = Count.Waiting / Count.Requests;
  std::vector<double> Waits;
  bool Varies = false;
  for (unsigned I = 0; I != HitCount::NumStretches; ++I) {
    if (Count.RequestsBy[I] == 0)
      break;
    Waits.push_back(Count.WaitingBy[I] / Count.RequestsBy[I]);
    Varies |= std::abs(Waits.back() - Mean) > Differs;
  }
  return Varies ? Waits : std::vector<double>();
}

void gpuocc::estimateL1(const WalkedLaunch &L, ExecutionProfile &Profile) {
  const KernelFacts &Facts = L.facts();
  if (none_of(Facts.Accesses, isTraced))
    return;
  if (L.geometry().L1Bytes == 0) {
    for (size_t I = 0; I < Facts.Accesses.size(); ++I)
      if (isTraced(Facts.Accesses[I]))
        Profile.Accesses[I].ReuseReason = "the size of L1 is not known";
    return;
  }
  L1Simulation Sm(L);
  std::vector<HitCount> Hits = Sm.run();
  auto IsMissed = [&](size_t I) {
    return Hits[I].Sectors == 0 && isTraced(Facts.Accesses[I]) &&
           Profile.Accesses[I].RequestsPerWarp > 0;
  };
  auto TakeFrom = [&](function_ref<std::vector<HitCount>()> Run) {
    const size_t NumAccesses = Hits.size();
    if (none_of(seq<size_t>(0, NumAccesses), IsMissed))
      return;
    const std::vector<HitCount> More = Run();
    for (size_t I = 0; I < NumAccesses; ++I)
      if (IsMissed(I))
        Hits[I] = More[I];
  };
  TakeFrom([&] { return Sm.runEnds(); });
  TakeFrom([&] { return Sm.runWatched(); });
  TakeFrom([&] { return Sm.runApart(blocksThatMake(Profile, IsMissed)); });
  for (size_t I = 0; I < Hits.size(); ++I) {
    if (Hits[I].Sectors == 0)
      continue;
    AccessProfile &A = Profile.Accesses[I];
    const double InL1 = Hits[I].hits() / Hits[I].Sectors;
    const bool PassesBy = isServedByL2(Facts.Accesses[I]);
    if (PassesBy && L.options().Used.has(Mechanism::AskedAgain))
      A.AskedAgainFraction = InL1;
    if (PassesBy && Facts.Accesses[I].Kind == AccessKind::Load) {
      A.ReuseReason = "volatile and ordered loads are served by L2";
      continue;
    }
    A.LineVisitFraction = Hits[I].Visits / Hits[I].Lines;
    if (PassesBy) {
      A.ReuseReason = "copies past L1 are served by L2";
      A.LineVisitFraction = std::min(1.0, A.LineVisitFraction + InL1);
    } else {
      A.ReuseReason = reuseText(Hits[I]);
      A.L1HitFraction = InL1;
      A.L1WaitFraction = Hits[I].Waiting / Hits[I].Requests;
      if (L.options().Used.has(Mechanism::RequestOrder))
        A.L1WaitsByRequest = waitsByRequest(Hits[I]);
    }
    if (Hits[I].Waiting > 0) {
      A.FetchedAlongFraction = Hits[I].FetchedAlong / Hits[I].Waiting;
      if (!PassesBy)
        noteAwaited(Hits[I], A);
    }
    if (Hits[I].Visits > 0)
      A.VisitsFetchedAlongFraction =
          Hits[I].VisitsFetchedAlong / Hits[I].Visits;
    A.MergedStoreFraction = Sm.mergedFraction(I);
  }
}
