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
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/MemoryOrder.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/AccessChanges.h"
#include "gpuocc/WhatIf/AssumeNoAlias.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <set>
#include <tuple>
#include <vector>

using namespace gpuocc;
using namespace llvm;

/// The change is a word in the parameter list.
static constexpr double WorthwhileReadOnly = 1.05;

/// The loop has to be written anew.
static constexpr double WorthwhileKeptWords = 1.15;

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

/// The accesses of words of memory that a loop reads and writes at the same
/// places in all of its iterations, under conditions, too: \p Loop has no other
/// accesses of their array. Empty where there are none.
static std::vector<uint32_t> wordsOfLoop(const Case &C, uint32_t Loop,
                                         uint64_t Array) {
  std::vector<uint32_t> Found;
  bool Loads = false, Stores = false;
  for (uint32_t I = 0; I != C.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = C.Facts.Accesses[I];
    const gpuocc::Loop &L = C.Facts.Loops[Loop];
    if (!isInArrays(A.Space) ||
        !is_contained(L.Blocks, C.Facts.Operations[A.Op].Block))
      continue;
    const std::optional<uint64_t> Of = arrayOfAccess(C.Facts, A);
    if (!Of)
      return {};
    if (*Of != Array)
      continue;
    if (A.Volatile || A.Rank != 0 || !isSetOutside(C.Facts, L, A.Base) ||
        (A.Kind != AccessKind::Load && A.Kind != AccessKind::Store))
      return {};
    (A.Kind == AccessKind::Load ? Loads : Stores) = true;
    Found.push_back(I);
  }
  return Loads && Stores ? Found : std::vector<uint32_t>();
}

/// Registers that the words of \p Accesses take.
static unsigned registersOf(const Case &C, ArrayRef<uint32_t> Accesses) {
  constexpr unsigned BytesOfRegister = 4;
  std::set<std::tuple<uint32_t, uint16_t, int64_t>> Words;
  unsigned Bytes = 0;
  for (uint32_t I : Accesses) {
    const MemoryAccess &A = C.Facts.Accesses[I];
    if (Words.insert({A.Base.Index, A.Base.Result, A.OffsetBytes}).second)
      Bytes += A.BytesPerLane;
  }
  return (Bytes + BytesOfRegister - 1) / BytesOfRegister;
}

/// True where a barrier or a fence in \p L shows its words to other threads.
static bool meetsOthers(const Case &C, const gpuocc::Loop &L) {
  return any_of(C.Facts.Operations, [&](const Operation &Op) {
    return is_contained(L.Blocks, Op.Block) &&
           any_of(Op.Emits, [](const Emission &E) {
             return E.Class == InstClass::Barrier ||
                    E.Class == InstClass::MemBar;
           });
  });
}

/// A loop that keeps in memory, under conditions, what registers could hold.
static void findKeptWords(const Case &C, Findings &Out) {
  constexpr unsigned MostRegisters = 64;
  for (uint32_t L = 0; L != C.Facts.Loops.size(); ++L) {
    if (meetsOthers(C, C.Facts.Loops[L]))
      continue;
    std::set<uint64_t> Arrays;
    for (const MemoryAccess &A : C.Facts.Accesses)
      if (A.Kind == AccessKind::Store && isInArrays(A.Space) &&
          is_contained(C.Facts.Loops[L].Blocks, C.Facts.Operations[A.Op].Block))
        if (const std::optional<uint64_t> Array = arrayOfAccess(C.Facts, A))
          Arrays.insert(*Array);
    for (uint64_t Array : Arrays) {
      const std::vector<uint32_t> Words = wordsOfLoop(C, L, Array);
      const unsigned Registers = registersOf(C, Words);
      if (Words.empty() || Registers > MostRegisters)
        continue;
      const uint32_t Most =
          *llvm::max_element(Words, [&](uint32_t A, uint32_t B) {
            return C.Profile.Accesses[A].RequestsPerWarp <
                   C.Profile.Accesses[B].RequestsPerWarp;
          });
      FindingWriter W(RuleId::ReadOnly, locationOfAccess(C.Facts, Most));
      W.finding().Access = Most;
      if (!C.wants(W.finding()))
        continue;
      W << "a loop reads and writes "
        << named("Words", formatCount(double(Registers), "word"))
        << " of memory at the same places in all of its iterations; keep them "
           "in registers (a local array whose index is known when compiling), "
           "and write them behind the loop";
      const Price P =
          price(C, keepInRegisters(Words, Registers,
                                   C.Limits.MaxRegistersPerThread.value_or(
                                       C.Facts.Resources.RegistersPerThread)));
      if (P.Gain < WorthwhileKeptWords)
        continue;
      addPrice(W, P);
      Out.push_back(std::move(W.finding()));
    }
  }
}

void gpuocc::findReadOnly(const Case &C, Findings &Out) {
  if (C.Facts.isInIssueOrder())
    return;
  findKeptWords(C, Out);
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
