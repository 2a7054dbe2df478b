//===- RereadWords.cpp - Words that a thread loads again ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/RereadWords.h"
#include "AddressAt.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Loads of one array in the loops that one loop of the source became.
struct Pass {
  uint64_t Array = 0;
  uint32_t Location = NoIndex;
  AccessList Loads;
  double Bytes = 0;
  /// Where some threads begin: the lowest of their addresses.
  std::vector<int64_t> Begins;
};

} // namespace

/// Where threads that tell patterns apart first use access \p A; nothing where
/// one of these places is not known.
static std::optional<std::vector<int64_t>> beginsOf(const KernelVariant &V,
                                                    const MemoryAccess &A) {
  std::vector<int64_t> Out;
  for (const AddressAt::Place &At : {AddressAt::Place{{0, 0, 0}, {0, 0, 0}},
                                     {{1, 0, 0}, {0, 0, 0}},
                                     {{33, 0, 0}, {0, 0, 0}},
                                     {{0, 1, 0}, {0, 0, 0}},
                                     {{0, 0, 0}, {1, 0, 0}},
                                     {{0, 0, 0}, {0, 1, 0}}}) {
    AddressAt Thread(V.Facts, V.Launched, At);
    const std::optional<int64_t> Begin = Thread.fromAnySide().of(A.Base);
    if (!Begin)
      return std::nullopt;
    Out.push_back(*Begin + A.OffsetBytes);
  }
  return Out;
}

static bool isWritten(const KernelFacts &Facts, uint64_t Array) {
  return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
    return A.Kind != AccessKind::Load && isInArrays(A.Space) &&
           arrayOfAccess(Facts, A).value_or(Array) == Array;
  });
}

/// The passes through arrays that nobody writes, in program order.
static std::vector<Pass> passesOf(const KernelVariant &V) {
  std::vector<Pass> Out;
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = V.Facts.Accesses[I];
    const AccessProfile &P = V.Profile.Accesses[I];
    const uint32_t Loop = V.Facts.Blocks[V.Facts.Operations[A.Op].Block].Loop;
    if (A.Kind != AccessKind::Load || !isInArrays(A.Space) || A.Volatile ||
        A.Rank != 0 || P.RequestsPerWarp <= 0 || Loop == NoIndex ||
        V.Facts.Loops[Loop].Parent != NoIndex ||
        P.Exact == Exactness::DataDependent)
      continue;
    const std::optional<uint64_t> Array = arrayOfAccess(V.Facts, A);
    std::optional<std::vector<int64_t>> Begins = beginsOf(V, A);
    if (!Array || !Begins || isWritten(V.Facts, *Array))
      continue;
    const uint32_t Location = V.Facts.Loops[Loop].Location;
    auto Of = find_if(Out, [&](const Pass &Other) {
      return Other.Array == *Array && Other.Location == Location;
    });
    if (Of == Out.end())
      Of = Out.insert(Out.end(), {*Array, Location, {}, 0, *Begins});
    Of->Loads.push_back(I);
    Of->Bytes += P.RequestsPerWarp * A.BytesPerLane;
    for (auto [Own, Other] : zip(Of->Begins, *Begins))
      Own = std::min(Own, Other);
  }
  return Out;
}

std::vector<RereadWords> gpuocc::rereadWords(const KernelVariant &V) {
  std::vector<RereadWords> Out;
  std::vector<Pass> Passes = passesOf(V);
  std::vector<bool> Known(Passes.size());
  for (size_t I = 0; I != Passes.size(); ++I) {
    RereadWords Words;
    for (size_t K = I + 1; K < Passes.size() && !Known[I]; ++K) {
      // Each word once, in whatever order: as many bytes from the same place.
      constexpr double Alike = 0.02;
      const Pass &First = Passes[I], &Later = Passes[K];
      if (Known[K] || Later.Array != First.Array ||
          Later.Begins != First.Begins ||
          std::abs(Later.Bytes - First.Bytes) > Alike * First.Bytes)
        continue;
      Known[K] = true;
      ++Words.Loops;
      Words.Again.insert(Words.Again.end(), Later.Loads.begin(),
                         Later.Loads.end());
    }
    if (Words.Loops == 0)
      continue;
    Words.First = std::move(Passes[I].Loads);
    Words.BytesOfThread = Passes[I].Bytes;
    Out.push_back(std::move(Words));
  }
  return Out;
}

/// The loops of \p Accesses have a constant number of turns, which the compiler
/// makes one after the other.
static void unrollLoops(KernelVariant &V, ArrayRef<uint32_t> Accesses) {
  constexpr double MostTurns = 32;
  for (uint32_t I : Accesses) {
    const uint32_t Block = V.Facts.Operations[V.Facts.Accesses[I].Op].Block;
    const uint32_t Loop = V.Facts.Blocks[Block].Loop;
    const double Turns = std::round(V.Profile.Loops[Loop].TripCount);
    if (Turns > 1 && Turns <= MostTurns)
      unrollLoop(V, Loop, unsigned(Turns));
  }
}

Change gpuocc::keepWords(RereadWords Words) {
  constexpr double BytesOfRegister = 4;
  constexpr unsigned MostRegisters = 255;
  auto Apply =
      [Words = std::move(Words)](KernelVariant V) -> Expected<KernelVariant> {
    unrollLoops(V, Words.First);
    unrollLoops(V, Words.Again);
    return keepInRegisters(
               Words.Again,
               unsigned(std::ceil(Words.BytesOfThread / BytesOfRegister)),
               MostRegisters)
        .Apply(std::move(V));
  };
  return {ChangeKind::KeepInRegisters, Apply};
}

Change gpuocc::findAgainInL1(std::vector<RereadWords> Words) {
  return makeChange(ChangeKind::ShareLoop,
                    [Words = std::move(Words)](KernelVariant &V) {
                      for (const RereadWords &Of : Words)
                        for (uint32_t I : Of.Again) {
                          AccessProfile &P = V.Profile.Accesses[I];
                          P.L1HitFraction = 1;
                          P.L1WaitFraction = P.LineVisitFraction = 0;
                        }
                    });
}
