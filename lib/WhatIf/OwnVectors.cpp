//===- OwnVectors.cpp - Words of a lane that one load could bring ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/OwnVectors.h"
#include "Spacing.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned MostBytes = 16;
static constexpr unsigned BytesOfRegister = 4;
static constexpr double LanesPerWarp = 32, LineBytes = 128, SectorBytes = 32;

static bool isArray(const MemoryAccess &A) {
  return A.Space == MemorySpace::Global || A.Space == MemorySpace::Generic;
}

/// Lanes that load one word, or words that data choose.
static bool isSpreadByCode(const AccessProfile &P) {
  return P.LaneStrideBytes ? *P.LaneStrideBytes == 0
                           : P.Exact == Exactness::DataDependent;
}

/// A load whose lanes are a known stretch apart, which is more than they load,
/// or of words whose distance code tells.
static bool mayBelong(const KernelVariant &V, uint32_t I) {
  const MemoryAccess &A = V.Facts.Accesses[I];
  const AccessProfile &P = V.Profile.Accesses[I];
  return A.Kind == AccessKind::Load && isArray(A) && !A.Volatile &&
         !A.Acquires && A.Rank == 0 && A.Base.isValue() &&
         A.BytesPerLane < MostBytes &&
         (isSpreadByCode(P) ||
          (P.LaneStrideBytes &&
           std::abs(*P.LaneStrideBytes) > int64_t(A.BytesPerLane)));
}

/// True if something is written between the loads \p First and \p Last of a
/// block, which may be what they load.
static bool isWrittenBetween(const KernelFacts &Facts, uint32_t First,
                             uint32_t Last) {
  return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
    return A.Kind != AccessKind::Load && isArray(A) && A.Op > First &&
           A.Op < Last;
  });
}

/// Bytes of the vectors that \p Stride keeps apart.
static unsigned bytesOfVector(int64_t Stride) {
  unsigned Bytes = MostBytes;
  while (Stride % Bytes != 0)
    Bytes /= 2;
  return Bytes;
}

/// Adds the three words of structures \p Spaced bytes apart that \p Loads of
/// one base are, where that are all of them.
static void addPadded(const KernelVariant &V,
                      const std::map<int64_t, uint32_t> &Loads, int64_t Spaced,
                      std::vector<OwnVector> &Out) {
  constexpr size_t Words = 3;
  const int64_t Own = V.Facts.Accesses[Loads.begin()->second].BytesPerLane;
  if (Spaced != int64_t(Words * BytesOfRegister) || Own != BytesOfRegister)
    return;
  for (auto At = Loads.begin(); At != Loads.end(); ++At) {
    OwnVector Vector;
    Vector.Bytes = MostBytes;
    Vector.IsPadded = true;
    auto Last = At;
    for (size_t K = 0; K != Words && Last != Loads.end(); ++K, ++Last)
      if (Last->first == At->first + int64_t(K) * Own)
        Vector.Loads.push_back(Last->second);
    if (Vector.Loads.size() != Words)
      continue;
    Out.push_back(std::move(Vector));
    At = std::prev(Last);
  }
}

/// Adds the vectors that \p Loads of one base and width are, by their place.
static void addVectors(const KernelVariant &V,
                       const std::map<int64_t, uint32_t> &Loads,
                       std::vector<OwnVector> &Out) {
  const uint32_t Any = Loads.begin()->second;
  const unsigned Own = V.Facts.Accesses[Any].BytesPerLane;
  const AccessProfile &P = V.Profile.Accesses[Any];
  int64_t Stride = 0;
  if (isSpreadByCode(P)) {
    Stride = spacingOf(V.Facts, V.Facts.Accesses[Any].Base);
    if (!P.LaneStrideBytes)
      addPadded(V, Loads, Stride, Out);
    // The array itself is aligned.
    if (Stride == 0)
      Stride = MostBytes;
  } else {
    Stride = *P.LaneStrideBytes;
  }
  const unsigned Bytes = bytesOfVector(Stride);
  std::map<int64_t, OwnVector> Vectors;
  for (const auto &[Offset, I] : Loads) {
    const int64_t Place = Offset & (int64_t(Bytes) - 1);
    OwnVector &Vector = Vectors[Offset - Place];
    Vector.Bytes = Bytes;
    Vector.Loads.push_back(I);
  }
  for (auto &[Offset, Vector] : Vectors) {
    auto OpOf = [&](uint32_t I) { return V.Facts.Accesses[I].Op; };
    const auto [First, Last] = std::minmax_element(
        Vector.Loads.begin(), Vector.Loads.end(),
        [&](uint32_t A, uint32_t B) { return OpOf(A) < OpOf(B); });
    // All of its words are wanted, so that no more is loaded than was.
    if (Vector.Loads.size() * Own == Bytes && Vector.Loads.size() > 1 &&
        !isWrittenBetween(V.Facts, OpOf(*First), OpOf(*Last)))
      Out.push_back(std::move(Vector));
  }
}

std::vector<OwnVector> gpuocc::ownVectors(const KernelVariant &V) {
  std::map<std::tuple<uint32_t, uint32_t, uint16_t, unsigned>,
           std::map<int64_t, uint32_t>>
      Groups;
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = V.Facts.Accesses[I];
    if (mayBelong(V, I))
      Groups[{V.Facts.Operations[A.Op].Block, A.Base.Index, A.Base.Result,
              A.BytesPerLane}]
          .try_emplace(A.OffsetBytes, I);
  }
  std::vector<OwnVector> Out;
  for (const auto &[Key, Loads] : Groups)
    addVectors(V, Loads, Out);
  return Out;
}

/// The profile of \p First, which brings all that \p Vector did.
static void widen(KernelVariant &V, const OwnVector &Vector, uint32_t First) {
  AccessProfile &P = V.Profile.Accesses[First];
  double Missed = 0, ToDram = 0, Sectors = 0, Wavefronts = 0, Waits = 0;
  for (uint32_t I : Vector.Loads) {
    const AccessProfile &A = V.Profile.Accesses[I];
    const double Own =
        A.RequestsPerWarp * A.SectorsPerRequest * (1 - A.L1HitFraction);
    Missed += Own;
    ToDram += Own * (1 - A.L2HitFraction);
    Sectors = std::max(Sectors, A.SectorsPerRequest);
    Wavefronts = std::max(Wavefronts, A.WavefrontsPerRequest);
    Waits = std::max(Waits, A.L1WaitFraction);
  }
  P.SectorsPerRequest = Sectors;
  P.IdealSectorsPerRequest = LanesPerWarp * Vector.Bytes / SectorBytes;
  P.IdealWavefrontsPerRequest = LanesPerWarp * Vector.Bytes / LineBytes;
  P.WavefrontsPerRequest = std::max(Wavefronts, P.IdealWavefrontsPerRequest);
  if (Vector.IsPadded)
    P.IdealSectorsPerRequest = std::min(Sectors, P.IdealSectorsPerRequest);
  // All lanes have one vector.
  if (P.LaneStrideBytes && *P.LaneStrideBytes == 0) {
    P.IdealSectorsPerRequest = 1;
    P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest = 1;
  }
  const double All = P.RequestsPerWarp * Sectors;
  P.L1HitFraction = All > 0 ? 1 - std::min(1.0, Missed / All) : 0;
  P.L2HitFraction = Missed > 0 ? 1 - ToDram / Missed : P.L2HitFraction;
  P.L1WaitFraction = Waits;
  V.Facts.Accesses[First].BytesPerLane = Vector.Bytes;
}

Change gpuocc::loadVectors(std::vector<OwnVector> Vectors) {
  return makeChange(ChangeKind::LoadVectors, [Vectors = std::move(Vectors)](
                                                 KernelVariant &V) {
    for (const OwnVector &Vector : Vectors) {
      const uint32_t First = *std::min_element(
          Vector.Loads.begin(), Vector.Loads.end(),
          [&](uint32_t A, uint32_t B) {
            return V.Facts.Accesses[A].Op < V.Facts.Accesses[B].Op;
          });
      const bool IsPart =
          V.Facts.Accesses[First].BytesPerLane < BytesOfRegister;
      widen(V, Vector, First);
      const uint32_t Load = V.Facts.Accesses[First].Op;
      for (uint32_t I : Vector.Loads) {
        if (I == First)
          continue;
        Operation &Op = V.Facts.Operations[V.Facts.Accesses[I].Op];
        Op.Emits.clear();
        if (IsPart)
          Op.Emits.push_back({InstClass::Prmt, 1, 1});
        Op.Operands = {Operand::value(Load)};
        V.Profile.Accesses[I].ExecutionsPerWarp = 0;
        V.Profile.Accesses[I].RequestsPerWarp = 0;
      }
    }
  });
}
