//===- PriceLaunches.cpp - What the launches of a program take ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PriceLaunches.h"
#include "CompareExecuted.h"
#include "ParameterNames.h"
#include "RecordedSpec.h"
#include "SeenInLaunch.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Model/ManagedTime.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <algorithm>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// Predictions for the launches of a group: enough that the steps between them
/// are small against what a prediction is off.
static constexpr size_t MostPriced = 32;

namespace {

/// Prices the launches of one group.
class GroupPricer {
public:
  GroupPricer(const KernelFacts &Facts, Predictor &Model, LaunchGroup &Group)
      : Facts(Facts), Model(Model), Group(Group) {}

  void add(const RecordedLaunch &L, size_t Index, uint64_t Calls) {
    Launches.push_back({&L, Index, Calls, std::nullopt, false});
  }
  void price(std::chrono::steady_clock::time_point End);

private:
  struct Priced {
    const RecordedLaunch *What;
    size_t Index;
    uint64_t Calls;
    std::optional<double> Ns;
    bool IsPriced;
  };

  Expected<KernelReport> assessLaunch(const RecordedLaunch &L,
                                      bool WithFindings);
  void priceOne(Priced &L);
  void fillGaps();
  void sum();

  const KernelFacts &Facts;
  Predictor &Model;
  LaunchGroup &Group;
  std::vector<Priced> Launches;
  std::string Problem;
};

} // namespace

/// Adds to \p R what its launch waits for managed memory, of which \p Managed
/// comes to \p Device.
static void addManagedTime(KernelReport &R, const ManagedBytes &Managed,
                           const DeviceModel &Device) {
  if (Managed.total() == 0 || !R.Predicted.Time)
    return;
  const Known<double> Ns = managedNs(Managed.FromHost, Managed.Fresh, Device);
  const std::string Bytes = formatNumber(double(Managed.total()) / 1e6) + " MB";
  Assumption &A = R.Profile.Assumptions.emplace_back();
  A.What = "managed memory that the kernel touches first";
  A.HowToSupply = "cudaMemPrefetchAsync moves it before the launch";
  if (!Ns) {
    A.Taken = Bytes + ", whose time is not known: " + Ns.reason();
    return;
  }
  A.Taken = "all " + Bytes + " of its pages that are not on the device, in " +
            formatTime(*Ns);
  TimeEstimate Time = *R.Predicted.Time;
  Time.Ns += *Ns;
  R.Predicted.Time = Time;
  if (!R.Predicted.Interval)
    return;
  TimeInterval Interval = *R.Predicted.Interval;
  Interval.LowNs += *Ns / ManagedFactor;
  Interval.HighNs += *Ns * ManagedFactor;
  Interval.DependsOn.push_back(A.What);
  R.Predicted.Interval = Interval;
}

Expected<KernelReport> GroupPricer::assessLaunch(const RecordedLaunch &L,
                                                 bool WithFindings) {
  Expected<ResolvedLaunches> Resolved =
      resolveLaunches(Facts, Config(), {specOfRecord(L, Facts)});
  if (!Resolved)
    return Resolved.takeError();
  AssessOptions Options;
  if (auto Seen = seenIn(L, Facts)) {
    Group.NumBlocksSeen = Seen->numbers().size();
    Group.SeenIsCut |= Seen->isCut();
    followSeen(std::move(Seen), Options.Lanes);
  }
  unsigned NumLoops = 0;
  Options.Lanes.Turns = turnsIn(L);
  Options.Lanes.LoopsByTurns = &NumLoops;
  Options.Executed = executedIn(L);
  const scope_exit NoteLoops([&] {
    Group.NumLoopsCounted = std::max(Group.NumLoopsCounted, NumLoops);
  });
  if (!WithFindings)
    for (StringRef Rule : ruleNames())
      Options.Suppress.push_back(Rule.str());
  Expected<KernelReport> R =
      assess(Facts, Resolved->Launches.front(), Model, Options);
  if (R)
    Group.NumWarpsRan = std::max(Group.NumWarpsRan, R->Profile.NumWarpsRan);
  if (R)
    addManagedTime(*R, L.Managed, Model.device());
  return R;
}

void GroupPricer::priceOne(Priced &L) {
  Expected<KernelReport> R = assessLaunch(*L.What, /*WithFindings=*/false);
  if (!R) {
    Problem = toString(R.takeError());
    return;
  }
  if (!R->Predicted.Time) {
    Problem = R->Predicted.Time.reason();
    return;
  }
  L.Ns = R->Predicted.Time->Ns;
  L.IsPriced = true;
  ++Group.NumPriced;
}

void GroupPricer::fillGaps() {
  auto Fill = [](auto Range) {
    std::optional<double> Last;
    for (Priced &L : Range)
      if (L.Ns)
        Last = L.Ns;
      else
        L.Ns = Last;
  };
  Fill(make_range(Launches.begin(), Launches.end()));
  // Before the first.
  Fill(make_range(Launches.rbegin(), Launches.rend()));
}

void GroupPricer::sum() {
  double Total = 0;
  Priced *Most = nullptr;
  Group.MinNs = *Launches.front().Ns;
  for (Priced &L : Launches) {
    Total += double(L.Calls) * *L.Ns;
    Group.Launches.push_back({L.Index, L.Calls, *L.Ns, L.IsPriced});
    Group.MinNs = std::min(Group.MinNs, *L.Ns);
    Group.MaxNs = std::max(Group.MaxNs, *L.Ns);
    if (!Most || *L.Ns > *Most->Ns)
      Most = &L;
  }
  Group.TotalNs = Total;
  if (Expected<KernelReport> R = assessLaunch(*Most->What,
                                              /*WithFindings=*/true)) {
    Group.Executed = compareExecuted(*Most->What, *R);
    Group.Costliest = std::move(*R);
  } else {
    consumeError(R.takeError());
  }
}

void GroupPricer::price(std::chrono::steady_clock::time_point End) {
  const size_t Count = std::min(Launches.size(), MostPriced);
  // The first, the last, and those between them in halves, so that an early
  // end leaves few gaps.
  std::vector<size_t> Order;
  for (size_t Step = Count; Step != 0; Step /= 2)
    for (size_t I = 0; I < Count; I += Step)
      if (!is_contained(Order, I))
        Order.push_back(I);
  for (size_t I : Order) {
    if (Group.NumPriced != 0 && std::chrono::steady_clock::now() >= End)
      break;
    priceOne(
        Launches[Count == 1 ? 0 : I * (Launches.size() - 1) / (Count - 1)]);
    if (!Problem.empty())
      break;
  }
  if (Group.NumPriced == 0) {
    Group.TotalNs = Known<double>::unknown(Problem);
    return;
  }
  fillGaps();
  sum();
}

static bool isOf(const LaunchGroup &G, const RecordedLaunch &L) {
  return G.Kernel == L.Kernel && G.Grid == L.Grid && G.Block == L.Block &&
         G.DynamicSharedBytes == L.DynamicSharedBytes;
}

static bool hasMemory(const RecordedLaunch &L) {
  return any_of(L.Arguments,
                [](const RecordedArgument &A) { return !A.Memory.empty(); });
}

std::vector<LaunchGroup>
gpuocc::priceLaunches(ArrayRef<KernelFacts> Kernels,
                      ArrayRef<RecordedLaunch> Launches,
                      ArrayRef<uint64_t> Calls, const DeviceModel &Device,
                      std::chrono::steady_clock::time_point End) {
  std::vector<LaunchGroup> Groups;
  std::vector<std::vector<size_t>> Members;
  for (const auto &[I, L] : enumerate(Launches)) {
    auto Found =
        find_if(Groups, [&](const LaunchGroup &G) { return isOf(G, L); });
    const size_t Index = size_t(Found - Groups.begin());
    if (Found == Groups.end()) {
      LaunchGroup &New = Groups.emplace_back();
      New.Kernel = New.Demangled = L.Kernel;
      New.Grid = L.Grid;
      New.Block = L.Block;
      New.DynamicSharedBytes = L.DynamicSharedBytes;
      Members.emplace_back();
    }
    LaunchGroup &G = Groups[Index];
    G.Calls += I < Calls.size() ? Calls[I] : 1;
    ++G.NumDifferent;
    G.NumWithMemory += hasMemory(L);
    G.ManagedBytes += L.Managed.total();
    Members[Index].push_back(I);
  }
  Predictor Model(Device);
  for (auto [G, Indices] : zip(Groups, Members)) {
    auto Facts =
        find_if(Kernels, [&, &Kernel = G.Kernel](const KernelFacts &K) {
          return K.Name == Kernel;
        });
    if (Facts == Kernels.end()) {
      G.TotalNs = Known<double>::unknown("no given source defines it");
      continue;
    }
    G.Demangled = Facts->Demangled;
    KernelFacts Named = *Facts;
    nameParameters(Named);
    GroupPricer Pricer(Named, Model, G);
    for (size_t I : Indices)
      Pricer.add(Launches[I], I, I < Calls.size() ? Calls[I] : 1);
    Pricer.price(End);
  }
  llvm::sort(Groups, [](const LaunchGroup &A, const LaunchGroup &B) {
    const double ANs = A.TotalNs.valueOr(0), BNs = B.TotalNs.valueOr(0);
    return std::tie(BNs, A.Kernel, A.Grid.X, A.Block.X) <
           std::tie(ANs, B.Kernel, B.Grid.X, B.Block.X);
  });
  return Groups;
}
