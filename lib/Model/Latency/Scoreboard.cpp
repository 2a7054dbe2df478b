//===- Scoreboard.cpp - What a warp waits for -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/Scoreboard.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;

bool Arrival::comesWith(const Arrival &Other) const {
  const double Apart = IssueCycle - Other.IssueCycle;
  return Neighborhood != NoIndex && Neighborhood == Other.Neighborhood &&
         Copy == Other.Copy && Apart * Apart <= CommonVariance;
}

/// Cycles by which \p Warps warps that all ask for \p Demand take longer than
/// the \p Cycles of one.
static double longerForAll(const PerResource<double> &Demand, double Warps,
                           double Cycles) {
  return std::max(0.0, Warps * *llvm::max_element(Demand) - Cycles);
}

void UnitDemand::endStretch(double Now, double Until, double Warps) {
  Longer = std::max(Longer, longerForAll(OfStretch, Warps, Now - StretchSince));
  MostHeld = std::max(MostHeld, Warps * *llvm::max_element(OfStretch));
  OfStretch = {};
  StretchSince = Until;
}

double UnitDemand::cyclesOfAll(double Now, double Warps) const {
  const double Alone = Now - Since;
  return Alone +
         std::max({Longer, longerForAll(OfStretch, Warps, Now - StretchSince),
                   longerForAll(Total, Warps, Alone)});
}

/// \p Then, which came behind \p BeforeNow, when \p Share of the time since
/// has passed.
static double keptPart(double Then, double BeforeNow, double Share) {
  return BeforeNow + Share * (Then - BeforeNow);
}

void UnitDemand::keepShare(const UnitDemand &Before, double BeforeNow,
                           double Share) {
  // What came before the warps met counts no longer.
  if (Since <= BeforeNow)
    keepShareOfSums(Before, Share);
  for (double *From : {&Since, &StretchSince})
    if (*From > BeforeNow)
      *From = keptPart(*From, BeforeNow, Share);
}

void UnitDemand::keepShareOfSums(const UnitDemand &Before, double Share) {
  for (size_t R = 0; R != Total.size(); ++R) {
    Total[R] = Before.Total[R] + Share * (Total[R] - Before.Total[R]);
    if (StretchSince == Before.StretchSince)
      OfStretch[R] =
          Before.OfStretch[R] + Share * (OfStretch[R] - Before.OfStretch[R]);
  }
  Longer = Before.Longer + Share * (Longer - Before.Longer);
  MostHeld = Before.MostHeld + Share * (MostHeld - Before.MostHeld);
}

void UnitDemand::repeat(const UnitDemand &Before, double BeforeNow,
                        double Times, double Cycles) {
  const bool HaveMet = Since > BeforeNow, HasWaited = StretchSince > BeforeNow;
  for (size_t R = 0; R != Total.size(); ++R) {
    if (!HaveMet)
      Total[R] += Times * (Total[R] - Before.Total[R]);
    if (!HasWaited)
      OfStretch[R] += Times * (OfStretch[R] - Before.OfStretch[R]);
  }
  Since += HaveMet ? Cycles : 0;
  StretchSince += HasWaited ? Cycles : 0;
}

void WarpClock::keepShare(const WarpClock &Before, double Share) {
  auto Part = [&](double After) { return keptPart(After, Before.Now, Share); };
  const double Taken = Now - Part(Now);
  Now = Part(Now);
  LastIssue = std::min(Now, Part(LastIssue));
  for (unsigned Kind = 0; Kind != NumAsyncKinds; ++Kind) {
    // A copy that one warp of the block begins is awaited by all of them.
    if (AsyncKind(Kind) == AsyncKind::Arrival)
      Groups[Kind].hasten(Before.Groups[Kind], Taken);
    else
      Groups[Kind].changeAfter(Before.Now, Part);
  }
  AllStoresTaken = std::max(Before.AllStoresTaken, Part(AllStoresTaken));
  StalledUntil = std::max(Before.StalledUntil, Part(StalledUntil));
  for (size_t R = 0; R != PipeFree.size(); ++R)
    PipeFree[R] = std::max(Before.PipeFree[R], Part(PipeFree[R]));
  MetAt = std::max(Before.MetAt, Part(MetAt));
  Variance = Before.Variance + Share * (Variance - Before.Variance);
  SharedVariance = std::min(SharedVariance, Variance);
  for (auto Sum : {&WarpClock::HeldByBlock, &WarpClock::WaitAfterBack,
                   &WarpClock::AtBarriers})
    this->*Sum = Before.*Sum + Share * (this->*Sum - Before.*Sum);
}

RandomTime Scoreboard::await(RandomTime Start, Arrival &A, double ExtraCycles) {
  double Common = std::min(A.BeforeIssue, Start.VarianceCycles2);
  double Own = A.Variance;
  if (A.comesWith(LastAwaited)) {
    const double InBoth =
        std::min(A.CommonVariance, Start.VarianceCycles2 - Common);
    Common += InBoth;
    Own -= InBoth;
  }
  if (A.Neighborhood != NoIndex && A.Variance > 0)
    LastAwaited = A;
  const RandomTime Later =
      laterOf({Start.MeanCycles, Start.VarianceCycles2 - Common},
              {A.Cycle + ExtraCycles, Own});
  const RandomTime Awaited = {Later.MeanCycles, Common + Later.VarianceCycles2};
  // Whoever uses it next finds it there.
  A.Variance = A.CommonVariance = 0;
  A.BeforeIssue = Awaited.VarianceCycles2;
  return Awaited;
}

void Scoreboard::resize(size_t NumResults) {
  Results.resize(NumResults);
  IsUnderWay.resize(NumResults);
}

void Scoreboard::hasten(size_t First, double Since, double Cycles) {
  // A loop sets its results in each of its iterations.
  std::sort(Written.begin() + First, Written.end());
  Written.erase(std::unique(Written.begin() + First, Written.end()),
                Written.end());
  for (uint32_t Number : llvm::ArrayRef(Written).drop_front(First))
    if (Arrival &A = Results[Number]; A.IssueCycle >= Since) {
      A.Cycle -= Cycles;
      A.IssueCycle = std::max(Since, A.IssueCycle - Cycles);
    }
}

void Scoreboard::repeat(double Cycles, double Variance, double SharedVariance) {
  llvm::erase_if(UnderWay, [&](uint32_t Number) {
    IsUnderWay[Number] = Results[Number].Cycle > NeverBefore;
    return !IsUnderWay[Number];
  });
  for (uint32_t Number : UnderWay)
    if (Arrival &A = Results[Number]; A.Cycle > Clock.Now) {
      A.Cycle += Cycles;
      A.IssueCycle += Cycles;
      A.BeforeIssue += Variance;
    }
  for (double &Free : Clock.PipeFree)
    if (Free > Clock.Now)
      Free += Cycles;
  for (double *Done : {&Clock.AllStoresTaken, &Clock.StalledUntil})
    if (*Done > Clock.Now)
      *Done += Cycles;
  for (AsyncGroups &G : Clock.Groups)
    G.shift(Clock.Now, Cycles);
  Clock.Now += Cycles;
  Clock.LastIssue += Cycles;
  Clock.Variance += Variance;
  Clock.SharedVariance += SharedVariance;
}
