//===- MoreWorkPerThread.cpp - Threads that repeat each other's work ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PriceMerge.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/WhatIf/SlidingWindow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// The change takes an hour: less than that is within what registers and
/// caches, which are estimated, can take back.
static constexpr double WorthwhileMoreWorkPerThread = 1.1;
/// The same where merged threads have no load in common. Heuristic: of such
/// pairs block_sums was promised 1.41 times too much (test/golden/pairs); the
/// test of that table notices when it grows.
static constexpr double WorthwhileWithoutLoads = 1.25;

/// Threads that have less in common are different threads.
static constexpr double SmallestShare = 0.05;

namespace {

/// What merged threads have in common, as shares of all.
struct Common {
  double Instructions = 0;
  /// Wavefronts of shared memory, sectors of global memory.
  double Wavefronts = 0, Sectors = 0;
  /// The access with most of them.
  uint32_t Access = NoIndex;

  double most() const { return std::max({Instructions, Wavefronts, Sectors}); }
};

/// A ratio of sums.
struct Share {
  double Part = 0, All = 0;
  void add(double Amount, double PartOfIt) {
    All += Amount;
    Part += PartOfIt * Amount;
  }
  double value() const { return All > 0 ? Part / All : 0; }
};

} // namespace

/// Requests of \p I in the unit that serves them.
static double amount(const Case &C, uint32_t I) {
  const AccessProfile &P = C.Profile.Accesses[I];
  return P.RequestsPerWarp * (C.Facts.Accesses[I].Space == MemorySpace::Shared
                                  ? P.WavefrontsPerRequest
                                  : P.SectorsPerRequest);
}

static Common commonWork(const Case &C, const Merge &M,
                         const std::vector<bool> &Depends) {
  const std::vector<WindowedLoad> Windows =
      windowedLoads(C.Facts, C.Profile, C.Launched, M);
  // One of the threads, of loads in a window part of each, does it for all.
  auto CommonPart = [&](const Operation &Op) -> double {
    if (!Depends[&Op - C.Facts.Operations.data()])
      return 1;
    return Op.Access < Windows.size()
               ? (1 - Windows[Op.Access].Share) * M.Factor / (M.Factor - 1)
               : 0;
  };
  Share Instructions, Wavefronts, Sectors;
  for (uint32_t I = 0; I != C.Facts.Operations.size(); ++I) {
    const Operation &Op = C.Facts.Operations[I];
    for (const Emission &E : Op.Emits)
      Instructions.add(E.Count * C.Profile.Blocks[Op.Block].ExecutionsPerWarp,
                       CommonPart(Op));
  }
  Common Out;
  double Most = 0;
  for (uint32_t I = 0; I != C.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = C.Facts.Accesses[I];
    const bool IsShared = A.Space == MemorySpace::Shared;
    if (!IsShared && A.Space != MemorySpace::Global)
      continue;
    const double Part = CommonPart(C.Facts.Operations[A.Op]);
    const double Amount = amount(C, I);
    (IsShared ? Wavefronts : Sectors).add(Amount, Part);
    if (Amount * Part > Most) {
      Most = Amount * Part;
      Out.Access = I;
    }
  }
  Out.Instructions = Instructions.value();
  Out.Wavefronts = Wavefronts.value();
  Out.Sectors = Sectors.value();
  return Out;
}

static Common commonUnder(const Case &C, const Merge &M) {
  std::optional<std::vector<bool>> Depends =
      dependsOnMerged(C.Facts, C.Profile, M);
  return Depends ? commonWork(C, M, *Depends) : Common();
}

/// What neighbours along x move side by side is better moved by wider accesses
/// of one of them: WiderAccess prices that.
static bool isForWiderAccess(const Case &C, const Merge &M) {
  return M.Dimension == 0 &&
         canMerge(C.Facts, C.Profile, C.Launched,
                  {MergeOf::Neighbours, 0, 2}) &&
         any_of(seq(C.Facts.Accesses.size()), [&](size_t I) {
           return becomesWider(C.Facts.Accesses[I], C.Profile.Accesses[I], 2);
         });
}

/// Merges of two that have something in common, most first.
static std::vector<Merge> pairsInCommon(const Case &C) {
  std::vector<std::pair<double, Merge>> Found;
  for (MergeOf What : {MergeOf::Threads, MergeOf::Blocks})
    for (unsigned D = 0; D != 3; ++D) {
      const Merge M{What, D, 2};
      if (isForWiderAccess(C, M))
        continue;
      const double Share = commonUnder(C, M).most();
      if (Share >= SmallestShare && Share < 1)
        Found.emplace_back(Share, M);
    }
  llvm::sort(Found, [](const auto &A, const auto &B) {
    return std::tuple(-A.first, A.second.What, A.second.Dimension) <
           std::tuple(-B.first, B.second.What, B.second.Dimension);
  });
  std::vector<Merge> Merges;
  for (const auto &[Share, M] : Found)
    Merges.push_back(M);
  return Merges;
}

/// Two, four or eight outputs of a thread, as long as more of them pay and the
/// copies do not exceed \p Left operations.
static std::optional<PricedMerge> bestFactor(const Case &C, Merge M,
                                             size_t &Left) {
  constexpr double StillPays = 1.03;
  std::optional<PricedMerge> Best;
  for (M.Factor = 2; M.Factor <= 8; M.Factor *= 2) {
    const size_t Operations = operationsOf(C, M.Factor);
    if (Operations > Left)
      break;
    Left -= Operations;
    std::optional<PricedMerge> Next = priceMerge(C, M);
    if (!Next || (Best && Next->Gain.Gain < Best->Gain.Gain * StillPays))
      break;
    Best = std::move(Next);
  }
  return Best;
}

static std::optional<PricedMerge> bestMerge(const Case &C) {
  size_t Left = PricingBudget::OperationsPerRule;
  std::optional<PricedMerge> Best;
  for (const Merge &M : pairsInCommon(C)) {
    std::optional<PricedMerge> Found = bestFactor(C, M, Left);
    if (Found && (!Best || Found->Gain.Gain > Best->Gain.Gain))
      Best = std::move(Found);
  }
  return Best;
}

static void writeCommon(const Case &C, const Common &In, FindingWriter &W) {
  W << named("Instructions", formatPercent(In.Instructions))
    << " of the instructions";
  if (In.Wavefronts >= SmallestShare)
    W << ", " << named("Wavefronts", formatPercent(In.Wavefronts))
      << " of the wavefronts of shared memory";
  if (In.Sectors >= SmallestShare)
    W << ", " << named("Sectors", formatPercent(In.Sectors))
      << " of the sectors loaded";
}

void gpuocc::findMoreWorkPerThread(const Case &C, Findings &Out) {
  std::optional<PricedMerge> Best = bestMerge(C);
  if (!Best)
    return;
  const Merge &M = Best->Merged;
  const Common In = commonUnder(C, M);
  const bool SharesLoads = std::max(In.Wavefronts, In.Sectors) >= SmallestShare;
  if (Best->Gain.Gain <
      (SharesLoads ? WorthwhileMoreWorkPerThread : WorthwhileWithoutLoads))
    return;
  const char *Axes[] = {"x", "y", "z"};
  FindingWriter W(
      RuleId::MoreWorkPerThread,
      In.Access == NoIndex
          ? kernelLocation(C.Facts)
          : locationOrKernel(
                C.Facts,
                C.Facts.Operations[C.Facts.Accesses[In.Access].Op].Location));
  W.finding().Access = In.Access;
  const bool OfThreads = M.What == MergeOf::Threads;
  W << (OfThreads ? "threads" : "blocks") << " that differ in "
    << named("Axis", Axes[M.Dimension]) << " alone repeat ";
  writeCommon(C, In, W);
  W << "; let one thread compute " << named("Factor", Twine(M.Factor))
    << " outputs along " << Axes[M.Dimension] << ", ";
  const Launch &L = Best->Kernel.Launched;
  if (OfThreads || !L.Grid)
    W << "in blocks of " << named("Block", formatDim(L.Block.Value));
  else
    W << "in a grid of " << named("Grid", formatDim(L.Grid->Value));
  const unsigned Registers = Best->Kernel.Facts.Resources.RegistersPerThread;
  W << " (about " << named("Registers", Twine(Registers))
    << " registers per thread"
    << formatChange(Registers, C.Facts.Resources.RegistersPerThread) << ", "
    << named("WarpsAfter", Twine(Best->Predicted.WarpsPerSm)) << " warps per SM"
    << formatChange(Best->Predicted.WarpsPerSm, C.Predicted.WarpsPerSm) << ")";
  addPrice(W, Best->Gain);
  Out.push_back(std::move(W.finding()));
}
