//===- BankConflict.cpp - Lanes that collide in a bank --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"
#include "gpuocc/Model/WarpWork.h"
#include "gpuocc/WhatIf/AccessChanges.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// Wavefronts per warp beyond the fewest.
static double excessWavefronts(const Case &C, uint32_t I) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  if (Access.Space != MemorySpace::Shared)
    return 0;
  const AccessProfile &A = C.Profile.Accesses[I];
  if (A.Exact == Exactness::Unknown)
    return 0;
  return A.RequestsPerWarp *
         (A.WavefrontsPerRequest - A.IdealWavefrontsPerRequest);
}

static Change removeConflicts(ArrayRef<AccessGroup> Groups) {
  AccessList Accesses;
  for (const AccessGroup &Group : Groups)
    append_range(Accesses, Group.Members);
  return removeBankConflicts(std::move(Accesses));
}

/// What to do; a row that is a multiple of all banks wants one element more.
static std::string advice(const AccessProfile &A, unsigned BytesPerLane,
                          int64_t BankRowBytes) {
  int64_t Stride = A.LaneStrideBytes ? std::abs(*A.LaneStrideBytes) : 0;
  if (Stride != 0 && Stride % BankRowBytes == 0 && BytesPerLane != 0) {
    int64_t Elements = Stride / BytesPerLane;
    return "pad the row from " + std::to_string(Elements) + " to " +
           std::to_string(Elements + 1) + " elements";
  }
  if (A.Exact == Exactness::DataDependent)
    return "the index is loaded data; spread it over the banks";
  return "pad the rows or swizzle the index so that lanes use different banks";
}

void gpuocc::findBankConflict(const Case &C, Findings &Out) {
  auto Excess = [&](uint32_t I) { return excessWavefronts(C, I); };
  const std::vector<AccessGroup> Groups =
      groupAccesses(C, RuleId::BankConflict, Excess, GroupBy::Array);
  if (Groups.size() > 1 &&
      isTooSmall(C, RuleId::BankConflict, price(C, removeConflicts(Groups))))
    return;
  for (const AccessGroup &Group : Groups) {
    uint32_t First = Group.Members.front();
    const MemoryAccess &Access = C.Facts.Accesses[First];
    const AccessProfile &A = C.Profile.Accesses[First];
    const AccessGroup Here = atFirstPlace(C, Group);
    double Wavefronts =
        Here.mean(C.Profile, &AccessProfile::WavefrontsPerRequest);
    double Ideal =
        Here.mean(C.Profile, &AccessProfile::IdealWavefrontsPerRequest);
    double Degree = Ideal > 0 ? Wavefronts / Ideal : Wavefronts;
    FindingWriter W(RuleId::BankConflict, locationOfAccess(C.Facts, First));
    W.finding().Access = First;
    W.finding().Exact = A.Exact;
    if (!C.wants(W.finding()))
      continue;
    W << named("Degree", formatNumber(Degree)) << "-way bank conflict: a "
      << accessKindText(Access.Kind) << " of a warp takes "
      << named("WavefrontsPerRequest", formatNumber(Wavefronts)) << " "
      << plural(formatNumber(Wavefronts), "wavefront") << " instead of "
      << named("IdealWavefrontsPerRequest", formatNumber(Ideal));
    if (std::string Pattern = patternText(A, Access.BytesPerLane);
        !Pattern.empty())
      W << " (" << named("Pattern", Pattern) << ")";
    if (Group.Places > 1)
      W << " with " << Twine(Group.Places - 1) << " more of the same array";
    W << "; "
      << advice(A, Access.BytesPerLane,
                int64_t(sharedTransactionBytes(C.Device)));
    addPrice(W, C, removeConflicts(Group));
    Out.push_back(std::move(W.finding()));
  }
}
