//===- VolatileLoads.cpp - Volatile loads that caches could serve ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/WhatIf/AccessChanges.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// The change is a word less.
static constexpr double WorthwhileUnqualified = 1.05;

/// Loads on whose values branches rest: they may wait for what other threads
/// write.
static std::vector<bool> decidingLoads(const KernelFacts &Facts) {
  std::vector<bool> Found(Facts.Accesses.size()), Seen(Facts.Operations.size());
  SmallVector<uint32_t, 32> Work;
  auto Enter = [&](const Operand &O) {
    if (Facts.operationOf(O) && !Seen[O.Index]) {
      Seen[O.Index] = true;
      Work.push_back(O.Index);
    }
  };
  for (const Branch &B : Facts.Branches)
    Enter(B.Condition);
  while (!Work.empty()) {
    const Operation &Op = Facts.Operations[Work.pop_back_val()];
    if (Op.Access < Facts.Accesses.size())
      Found[Op.Access] = true;
    for_each(Op.Operands, Enter);
  }
  return Found;
}

/// Does the kernel itself change the array that \p A reads, or may it?
static bool isWritten(const KernelFacts &Facts, const MemoryAccess &A) {
  const std::optional<uint64_t> Array = arrayOfAccess(Facts, A);
  return !Array || any_of(Facts.Accesses, [&](const MemoryAccess &B) {
    return (B.Kind == AccessKind::Store || isAtomic(B.Kind)) &&
           arrayOfAccess(Facts, B) == Array;
  });
}

void gpuocc::findVolatileLoads(const Case &C, Findings &Out) {
  if (none_of(C.Facts.Accesses, [](const MemoryAccess &A) {
        return A.Volatile && A.Kind == AccessKind::Load;
      }))
    return;
  const std::vector<bool> Decides = decidingLoads(C.Facts);
  auto Sectors = [&](uint32_t I) {
    const MemoryAccess &A = C.Facts.Accesses[I];
    const AccessProfile &Of = C.Profile.Accesses[I];
    const bool IsFree =
        A.Volatile && A.Kind == AccessKind::Load && !Decides[I] &&
        (A.Space == MemorySpace::Global || A.Space == MemorySpace::Generic) &&
        !isWritten(C.Facts, A);
    return IsFree ? Of.RequestsPerWarp * Of.SectorsPerRequest : 0;
  };
  for (const AccessGroup &Group :
       groupAccesses(C, RuleId::VolatileLoads, Sectors, GroupBy::Array)) {
    std::optional<KernelVariant> V =
        changedAndWalked(C, cacheLoads(Group.Members));
    if (!V)
      continue;
    const Price P = priceVariant(C, std::move(*V));
    if (P.Gain < WorthwhileUnqualified)
      continue;
    const uint32_t First = Group.Members.front();
    FindingWriter W(RuleId::VolatileLoads, locationOfAccess(C.Facts, First));
    W.finding().Access = First;
    W << "volatile loads, "
      << named("RequestsPerWarp",
               formatCount(Group.requests(C.Profile), "request"))
      << " per warp, go to L2 each time; where nobody writes the array while "
         "the kernel runs, drop volatile";
    addPrice(W, P);
    Out.push_back(std::move(W.finding()));
  }
}
