//===- CompareReports.cpp - What a change made slower or faster -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/CompareReports.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::changeKindText(ChangeKind Kind) {
  switch (Kind) {
  case ChangeKind::Same:
    return "same";
  case ChangeKind::Slower:
    return "slower";
  case ChangeKind::Faster:
    return "faster";
  case ChangeKind::Added:
    return "added";
  case ChangeKind::Removed:
    return "removed";
  case ChangeKind::Broken:
    return "cannot run";
  case ChangeKind::Fixed:
    return "runs again";
  case ChangeKind::Untimed:
    return "cannot compare";
  }
  llvm_unreachable("all kinds are handled");
}

/// Pairs the kernels of \p Before and \p After that have equal keys, in order.
/// Null stays at the index of an After without a partner.
template <typename KeyFunction>
static void pairBy(KeyFunction Key, ArrayRef<KernelSummary> Before,
                   ArrayRef<KernelSummary> After,
                   std::vector<const KernelSummary *> &PartnerOf,
                   std::vector<bool> &IsTaken) {
  std::multimap<decltype(Key(Before.front())), size_t> Open;
  for (size_t I = 0; I != Before.size(); ++I)
    if (!IsTaken[I])
      Open.emplace(Key(Before[I]), I);
  for (size_t I = 0; I != After.size(); ++I) {
    if (PartnerOf[I])
      continue;
    // Of equal keys, the one that was put in first.
    auto Found = Open.lower_bound(Key(After[I]));
    if (Found == Open.end() || Found->first != Key(After[I]))
      continue;
    PartnerOf[I] = &Before[Found->second];
    IsTaken[Found->second] = true;
    Open.erase(Found);
  }
}

static double ratioOf(const KernelSummary &Before, const KernelSummary &After) {
  if (Before.TimeNs && After.TimeNs && *Before.TimeNs > 0)
    return *After.TimeNs / *Before.TimeNs;
  if (Before.CyclesPerWarp && After.CyclesPerWarp && *Before.CyclesPerWarp > 0)
    return *After.CyclesPerWarp / *Before.CyclesPerWarp;
  return 1;
}

/// True where \p Before had something to compare with that \p After lacks.
static bool lostTime(const KernelSummary &Before, const KernelSummary &After) {
  return !After.TimeNs &&
         (Before.TimeNs || (Before.CyclesPerWarp && !After.CyclesPerWarp));
}

/// The findings of \p Some that \p Others lacks or promises less for. Lines
/// move, so findings are told apart by rule and order, not by place.
static std::vector<const FindingSummary *>
findingsOnlyIn(const KernelSummary &Some, const KernelSummary &Others,
               double Threshold) {
  std::map<std::string, std::vector<double>> Known;
  for (const FindingSummary &F : Others.Findings)
    if (F.Gain)
      Known[F.Rule].push_back(*F.Gain);
  std::vector<const FindingSummary *> Only;
  for (const FindingSummary &F : Some.Findings) {
    if (!F.Gain)
      continue;
    std::vector<double> &Gains = Known[F.Rule];
    // Findings come with the greatest gain first.
    if (!Gains.empty() && *F.Gain <= Gains.front() * Threshold) {
      Gains.erase(Gains.begin());
      continue;
    }
    Only.push_back(&F);
  }
  return Only;
}

static KernelChange changeOf(const KernelSummary &Before,
                             const KernelSummary &After,
                             const CompareOptions &Options) {
  KernelChange Change{&Before, &After};
  Change.DataDecides = Before.DataDecides || After.DataDecides;
  if (!lostTime(Before, After))
    Change.Ratio = ratioOf(Before, After);
  if (Before.CannotRun || After.CannotRun) {
    if (Before.CannotRun != After.CannotRun)
      Change.Kind = After.CannotRun ? ChangeKind::Broken : ChangeKind::Fixed;
    if (!Before.CannotRun)
      for (const FindingSummary &F : After.Findings)
        Change.Appeared.push_back(&F);
    return Change;
  }
  double Threshold = changeThreshold(Options.Threshold, Change.DataDecides);
  if (lostTime(Before, After))
    Change.Kind = ChangeKind::Untimed;
  else if (isSlower(Change.Ratio, Threshold))
    Change.Kind = ChangeKind::Slower;
  else if (isFaster(Change.Ratio, Threshold))
    Change.Kind = ChangeKind::Faster;
  Change.Appeared = findingsOnlyIn(After, Before, Options.Threshold);
  Change.Gone = findingsOnlyIn(Before, After, Options.Threshold);
  return Change;
}

static bool comesFirst(const KernelChange &A, const KernelChange &B) {
  auto Rank = [](const KernelChange &C) {
    static constexpr ChangeKind Order[] = {
        ChangeKind::Broken,  ChangeKind::Slower, ChangeKind::Untimed,
        ChangeKind::Fixed,   ChangeKind::Faster, ChangeKind::Added,
        ChangeKind::Removed, ChangeKind::Same};
    return llvm::find(Order, C.Kind) - std::begin(Order);
  };
  auto Key = [&](const KernelChange &C) {
    double Size = C.Ratio >= 1 ? C.Ratio : 1 / C.Ratio;
    const KernelSummary &K = C.either();
    return std::make_tuple(Rank(C), -Size, StringRef(K.Demangled),
                           StringRef(K.Device), StringRef(K.LaunchText), &K);
  };
  return Key(A) < Key(B);
}

std::vector<KernelChange>
gpuocc::compareReports(const ReportSummary &Before, const ReportSummary &After,
                       const CompareOptions &Options) {
  std::vector<const KernelSummary *> PartnerOf(After.Kernels.size());
  std::vector<bool> IsTaken(Before.Kernels.size());
  auto Whole = [](const KernelSummary &K) {
    return std::tie(K.Name, K.Device, K.LaunchText, K.File);
  };
  auto Elsewhere = [](const KernelSummary &K) {
    return std::tie(K.Name, K.Device, K.LaunchText);
  };
  auto NameOnly = [](const KernelSummary &K) {
    return std::tie(K.Name, K.Device);
  };
  pairBy(Whole, Before.Kernels, After.Kernels, PartnerOf, IsTaken);
  pairBy(Elsewhere, Before.Kernels, After.Kernels, PartnerOf, IsTaken);
  pairBy(NameOnly, Before.Kernels, After.Kernels, PartnerOf, IsTaken);

  std::vector<KernelChange> Changes;
  for (size_t I = 0; I != After.Kernels.size(); ++I) {
    if (PartnerOf[I])
      Changes.push_back(changeOf(*PartnerOf[I], After.Kernels[I], Options));
    else
      Changes.push_back({nullptr, &After.Kernels[I],
                         After.Kernels[I].CannotRun ? ChangeKind::Broken
                                                    : ChangeKind::Added});
  }
  for (size_t I = 0; I != Before.Kernels.size(); ++I)
    if (!IsTaken[I])
      Changes.push_back({&Before.Kernels[I], nullptr, ChangeKind::Removed});
  llvm::sort(Changes, comesFirst);
  return Changes;
}
