//===- AtomicContention.cpp - Atomics on one address ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"

using namespace gpuocc;
using namespace llvm;

/// Lanes per warp that wait for another lane's turn.
static double waitingLanes(const Case &C, uint32_t I) {
  AccessKind Kind = C.Facts.Accesses[I].Kind;
  if (Kind != AccessKind::Atomic && Kind != AccessKind::Reduction)
    return 0;
  const AccessProfile &A = C.Profile.Accesses[I];
  if (A.Exact == Exactness::Unknown || A.LanesPerAddress <= 1)
    return 0;
  return A.RequestsPerWarp * (A.LanesPerAddress - 1);
}

/// One lane speaks for all on the same address.
static ExecutionProfile combined(const ExecutionProfile &Profile,
                                 const AccessGroup &Group) {
  ExecutionProfile Mended = Profile;
  for (uint32_t I : Group.Members) {
    AccessProfile &A = Mended.Accesses[I];
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
    W << named("LanesPerAddress", formatNumber(Lanes))
      << " lanes of a warp use one address in this "
      << memorySpaceText(Access.Space) << " " << accessKindText(Access.Kind)
      << " and are served one after the other; combine them in the warp first "
         "(shuffles or __reduce_sync) and let one lane update";
    addPrice(W, priceProfile(C, combined(C.Profile, Group)));
    Out.push_back(std::move(W.finding()));
  }
}
