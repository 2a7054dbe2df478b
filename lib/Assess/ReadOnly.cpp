//===- ReadOnly.cpp - Accesses that arrays which may overlap repeat -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Geometry.h"
#include "PriceMerge.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "gpuocc/Kernel/MemoryOrder.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/WhatIf/AssumeNoAlias.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

/// The change is a word in the parameter list.
static constexpr double WorthwhileReadOnly = 1.05;

/// Of what is found, the access with most requests.
static uint32_t mostRequested(const Case &C, const AliasedAccesses &Found) {
  uint32_t Most = NoIndex;
  auto Look = [&](uint32_t Op) {
    const uint32_t I = C.Facts.Operations[Op].Access;
    if (Most == NoIndex || C.Profile.Accesses[I].RequestsPerWarp >
                               C.Profile.Accesses[Most].RequestsPerWarp)
      Most = I;
  };
  for (const auto &Load : Found.Invariant)
    Look(Load.Op);
  for (const auto &Load : Found.Repeated)
    Look(Load.Again);
  for (const auto &Sum : Found.Sums)
    for_each(Sum.Stores, Look);
  if (Most == NoIndex)
    for_each(Found.HeldBack, Look);
  return Most;
}

static void writeWhat(const AliasedAccesses &Found, FindingWriter &W) {
  const size_t Loads = Found.Invariant.size() + Found.Repeated.size();
  size_t Stores = 0;
  for (const auto &Sum : Found.Sums)
    Stores += Sum.Stores.size();
  const char *Next = "";
  auto Part = [&](size_t Count, const char *Key, const char *What,
                  const char *Then) {
    if (Count == 0)
      return;
    W << Next << named(Key, formatCount(double(Count), What)) << Then;
    Next = ", ";
  };
  Part(Loads, "Loads", "load", " of the same words again and again");
  Part(Stores, "Stores", "store",
       " in a loop of a word that a register could keep");
  Part(Found.HeldBack.size(), "HeldBack", "load",
       " that cannot begin before a store");
}

/// True if \p Found sets loads free and leaves all accesses where they are.
static bool onlySetsFree(const AliasedAccesses &Found) {
  return Found.Repeated.empty() && Found.Invariant.empty() &&
         Found.Sums.empty();
}

/// True if more stores of \p Facts follow each other without a wait than of
/// \p Before.
static bool bringsStoresTogether(const KernelFacts &Before,
                                 const KernelFacts &Facts) {
  const std::vector<unsigned> Old = groupsIssuedTogether(Before);
  const std::vector<unsigned> New = groupsIssuedTogether(Facts);
  std::set<unsigned> OldGroups, NewGroups;
  for (size_t I = 0; I != Facts.Accesses.size(); ++I)
    if (Facts.Accesses[I].Kind == AccessKind::Store) {
      OldGroups.insert(Old[I]);
      NewGroups.insert(New[I]);
    }
  return NewGroups.size() < OldGroups.size();
}

/// Stores that no longer wait for loads between them leave L1 together where
/// they share sectors: what the caches do is evaluated anew.
static void mergeStores(const Case &C, const AliasedAccesses &Found,
                        KernelVariant &V) {
  if (C.IsFixed || !onlySetsFree(Found) ||
      !bringsStoresTogether(C.Facts, V.Facts))
    return;
  V.Profile = profileLaunch(V.Facts, V.Launched,
                            geometryOf(C.Device, C.Predicted.BlocksPerSm),
                            C.Options.Lanes);
}

void gpuocc::findReadOnly(const Case &C, Findings &Out) {
  if (C.Facts.isInIssueOrder())
    return;
  const AliasedAccesses Found = aliasedAccesses(C.Facts, C.Profile);
  if (Found.empty())
    return;
  std::optional<KernelVariant> V = changed(C, assumeNoAlias(Found));
  if (!V || !estimateMoreRegisters(C, V->Facts))
    return;
  mergeStores(C, Found, *V);
  const Price P = priceVariant(C, std::move(*V));
  if (P.Gain < WorthwhileReadOnly)
    return;
  const uint32_t Access = mostRequested(C, Found);
  FindingWriter W(RuleId::ReadOnly, locationOfAccess(C.Facts, Access));
  W.finding().Access = Access;
  W << "arrays may overlap as far as the compiler knows: ";
  writeWhat(Found, W);
  W << "; where they never do, declare the pointers __restrict__, and const "
       "where they are only read";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}
