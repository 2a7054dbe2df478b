//===- SortedAtomics.cpp - Atomics whose indices may be sorted ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SortedAtomics.h"
#include "Geometry.h"
#include "Price.h"
#include "gpuocc/Kernel/AccessCopies.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/WhatIf/AtomicChanges.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstdlib>

using namespace gpuocc;
using namespace llvm;

/// Do neighbouring lanes load the index of \p Access side by side, from global
/// memory? Values that were loaded to find the index are not looked behind.
static bool loadsIndicesInOrder(const Case &C, const MemoryAccess &Access) {
  bool Any = false, AreInOrder = true;
  walkBehind(C.Facts, Access.Base,
             [&](const Operation &Op) -> ArrayRef<Operand> {
               if (Op.Access >= C.Facts.Accesses.size())
                 return Op.Operands;
               const MemoryAccess &Load = C.Facts.Accesses[Op.Access];
               const AccessProfile &P = C.Profile.Accesses[Op.Access];
               if (Load.Space == MemorySpace::Param ||
                   Load.Space == MemorySpace::Constant)
                 return {};
               // A member of a structure that lies beside that of the next
               // thread.
               constexpr int64_t MostBetween = 16;
               Any = true;
               AreInOrder &= Load.Kind == AccessKind::Load &&
                             P.LaneStrideBytes && *P.LaneStrideBytes != 0 &&
                             std::abs(*P.LaneStrideBytes) <= MostBetween;
               return {};
             });
  return Any && AreInOrder;
}

static double lanesOfGrid(const Case &C, uint32_t Index) {
  const AccessProfile &A = C.Profile.Accesses[Index];
  return double(C.Launched.Grid->Value.count()) *
         double(C.Launched.warpsPerBlock()) * A.RequestsPerWarp * A.ActiveLanes;
}

double gpuocc::updatesIfSorted(const Case &C, uint32_t Index) {
  // Fewer are not worth the rounds of shuffles.
  constexpr double FewUpdates = 8;
  const MemoryAccess &Access = C.Facts.Accesses[Index];
  const AccessProfile &A = C.Profile.Accesses[Index];
  if (Access.Kind != AccessKind::Reduction ||
      Access.Space == MemorySpace::Shared || C.Facts.isInIssueOrder() ||
      !C.Launched.Grid || !A.DrawnAddresses || !A.GridSectors ||
      A.RequestsPerWarp <= 0 || A.Exact != Exactness::DataDependent ||
      !loadsIndicesInOrder(C, Access))
    return 0;
  double Lanes = 0;
  for (uint32_t I = 0; I != C.Facts.Accesses.size(); ++I)
    if (I == Index || areCopies(C.Facts, Access, C.Facts.Accesses[I]))
      Lanes += lanesOfGrid(C, I);
  const double Updates = Lanes / *A.DrawnAddresses;
  return Updates >= FewUpdates ? Updates : 0;
}

/// The case in which the indices of \p Group are sorted, priced.
static Price priceIfSorted(const Case &C, const AccessGroup &Group) {
  const MemoryGeometry G = geometryOf(C.Device, C.Predicted.BlocksPerSm);
  const Known<double> SmCount = C.Device.get(Quantity::SmCount);
  if (!SmCount)
    return Price();
  const double Threads = std::min(double(C.Launched.Grid->Value.count()),
                                  double(C.Predicted.BlocksPerSm) * *SmCount) *
                         double(C.Launched.threadsPerBlock());
  KernelVariant Sorted{C.Facts, C.Profile, C.Launched};
  std::vector<CombinedAtomic> Atomics;
  for (uint32_t I : Group.Members) {
    AccessProfile &A = Sorted.Profile.Accesses[I];
    const double Run = updatesIfSorted(C, I);
    if (Run <= 0)
      continue;
    A = inRuns(A, Run, C.Facts.Accesses[I].BytesPerLane, Threads, G);
    Atomics.push_back({I, A.LanesPerAddress, 1, /*InRuns=*/true});
  }
  Expected<KernelVariant> Fixed =
      combineAtomics(std::move(Atomics)).Apply(Sorted);
  if (!Fixed) {
    consumeError(Fixed.takeError());
    return Price();
  }
  auto Predict = [&](const KernelVariant &V) {
    return C.Model.predict(V.Facts, V.Profile, V.Launched,
                           PredictDetail::Comparison);
  };
  const Prediction Before = Predict(Sorted), After = Predict(*Fixed);
  Price P = priceOf(C);
  P.BoundAfter = After.Diagnosed.Unit;
  if (Before.Time && After.Time && After.Time->Ns > 0)
    P.Gain = Before.Time->Ns / After.Time->Ns;
  return P;
}

void gpuocc::writeSorted(const Case &C, const AccessGroup &Group,
                         Findings &Out) {
  const uint32_t First = Group.Members.front();
  FindingWriter W(RuleId::AtomicContention, locationOfAccess(C.Facts, First));
  W.finding().Access = First;
  W.finding().Exact = C.Profile.Accesses[First].Exact;
  if (!C.wants(W.finding()))
    return;
  W << "loaded indices lead to "
    << named("Words",
             formatCount(*C.Profile.Accesses[First].DrawnAddresses, "word"))
    << " in this " << memorySpaceText(C.Facts.Accesses[First].Space) << " "
    << accessKindText(C.Facts.Accesses[First].Kind) << ", "
    << named("Updates", formatCount(updatesIfSorted(C, First), "time"))
    << " each; if they are sorted, neighbouring lanes meet on a word and are "
       "served one after the other: let the warp add up runs of equal indices "
       "by shuffles, and one lane of each run update";
  if (C.Deciding.empty()) {
    const Price P = priceIfSorted(C, Group);
    if (isTooSmall(C, RuleId::AtomicContention, P))
      return;
    W << ". Estimated gain if they are: "
      << named("GainIf", formatRatio(P.Gain)) << " (then bound by "
      << named("BoundAfter", unitText(P.BoundAfter)) << ")";
  }
  W.finding().Gain =
      Known<double>::unknown("data decides whether indices are sorted");
  Out.push_back(std::move(W.finding()));
}
