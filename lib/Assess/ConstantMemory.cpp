//===- ConstantMemory.cpp - Lanes that read different constants -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"
#include "gpuocc/WhatIf/AccessChanges.h"

using namespace gpuocc;
using namespace llvm;

/// Turns per warp beyond one a request.
static double excessTurns(const Case &C, uint32_t I) {
  if (C.Facts.Accesses[I].Space != MemorySpace::Constant)
    return 0;
  const AccessProfile &A = C.Profile.Accesses[I];
  if (A.Exact == Exactness::Unknown)
    return 0;
  return A.RequestsPerWarp * (A.DistinctAddressesPerRequest - 1);
}

static Price priceGlobal(const Case &C, const AccessGroup &Group) {
  std::optional<KernelVariant> V =
      changedAndWalked(C, readFromGlobal(Group.Members));
  return V ? priceVariant(C, std::move(*V)) : priceOf(C);
}

void gpuocc::findConstantMemory(const Case &C, Findings &Out) {
  auto Excess = [&](uint32_t I) { return excessTurns(C, I); };
  for (const AccessGroup &Group :
       groupAccesses(C, RuleId::ConstantMemory, Excess, GroupBy::Array)) {
    const uint32_t First = Group.Members.front();
    FindingWriter W(RuleId::ConstantMemory, locationOfAccess(C.Facts, First));
    W.finding().Access = First;
    W.finding().Exact = C.Profile.Accesses[First].Exact;
    if (!C.wants(W.finding()))
      continue;
    const std::string Addresses = formatNumber(
        Group.mean(C.Profile, &AccessProfile::DistinctAddressesPerRequest));
    W << "lanes of a warp read " << named("AddressesPerRequest", Addresses)
      << " " << plural(Addresses, "address")
      << " of constant memory, which serves one after the other, "
      << named("RequestsPerWarp",
               formatCount(Group.requests(C.Profile), "request"))
      << " per warp; keep the table in global memory (__device__ const, or an "
         "argument that is const and __restrict__) or copy it to shared "
         "memory";
    addPrice(W, priceGlobal(C, Group));
    Out.push_back(std::move(W.finding()));
  }
}
