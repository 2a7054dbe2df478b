//===- AtomicContention.cpp - Atomics on one address ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static double warpsPerBlock(const Case &C) {
  constexpr double LanesPerWarp = 32;
  return std::max(
      1.0, std::ceil(double(C.Launched.Block.Value.count()) / LanesPerWarp));
}

/// One lane of each warp acts for all, and the warps meet on few sectors.
static bool meetsOtherWarps(const Case &C, uint32_t I) {
  const AccessProfile &A = C.Profile.Accesses[I];
  const double NumWarps =
      double(C.Launched.Grid ? C.Launched.Grid->Value.count() : 1) *
      warpsPerBlock(C);
  return C.Facts.Accesses[I].Combining == LaneCombining::OneLane &&
         A.GridSectors && NumWarps * A.RequestsPerWarp > *A.GridSectors;
}

/// Lanes per warp that wait for another lane's turn; warps of a block that
/// wait for another warp's.
static double waitingLanes(const Case &C, uint32_t I) {
  AccessKind Kind = C.Facts.Accesses[I].Kind;
  if (Kind != AccessKind::Atomic && Kind != AccessKind::Reduction)
    return 0;
  const AccessProfile &A = C.Profile.Accesses[I];
  if (A.Exact == Exactness::Unknown)
    return 0;
  if (meetsOtherWarps(C, I))
    return A.RequestsPerWarp * (1 - 1 / warpsPerBlock(C));
  if (A.LanesPerAddress <= 1)
    return 0;
  return A.RequestsPerWarp * (A.LanesPerAddress - 1);
}

/// One lane speaks for all on the same address, or one warp for its block.
static ExecutionProfile combined(const Case &C, const AccessGroup &Group) {
  ExecutionProfile Mended = C.Profile;
  for (uint32_t I : Group.Members) {
    AccessProfile &A = Mended.Accesses[I];
    if (meetsOtherWarps(C, I)) {
      A.RequestsPerWarp /= warpsPerBlock(C);
      continue;
    }
    A.ActiveLanes /= A.LanesPerAddress;
    A.LanesPerAddress = 1;
    A.WavefrontsPerRequest = A.IdealWavefrontsPerRequest;
  }
  return Mended;
}

void gpuocc::findAtomicContention(const Case &C, Findings &Out) {
  auto Excess = [&](uint32_t I) { return waitingLanes(C, I); };
  for (const AccessGroup &Group : groupAccesses(C, Excess)) {
    uint32_t First = Group.Members.front();
    const MemoryAccess &Access = C.Facts.Accesses[First];
    double Lanes = Group.mean(C.Profile, &AccessProfile::LanesPerAddress);
    FindingWriter W(RuleId::AtomicContention, locationOfAccess(C.Facts, First));
    W.finding().Access = First;
    W.finding().Exact = C.Profile.Accesses[First].Exact;
    if (meetsOtherWarps(C, First))
      W << "all warps of the grid meet on "
        << named("GridSectors",
                 formatCount(*C.Profile.Accesses[First].GridSectors, "sector"))
        << " in this " << memorySpaceText(Access.Space) << " "
        << accessKindText(Access.Kind)
        << " (the assembler combines the lanes of a warp already) and are "
           "served one after the other; combine the warps of a block in shared "
           "memory and let one lane of the block update";
    else
      W << named("LanesPerAddress", formatNumber(Lanes))
        << " lanes of a warp use one address in this "
        << memorySpaceText(Access.Space) << " " << accessKindText(Access.Kind)
        << " and are served one after the other; combine them in the warp "
           "first (shuffles or __reduce_sync) and let one lane update";
    addPrice(W, priceProfile(C, combined(C, Group)));
    Out.push_back(std::move(W.finding()));
  }
}
