//===- HotLines.cpp - Lines that all SMs read at a time -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/HotLines.h"
#include "Bounds/L2Slices.h"
#include "gpuocc/Kernel/AccessCopies.h"
#include "gpuocc/Kernel/LoadedPlaces.h"
#include "gpuocc/Model/SweepsInStep.h"
#include <algorithm>
#include <optional>
#include <vector>

using namespace gpuocc;

/// Requests of a warp to the access \p Index and its copies.
static double requestsOf(const KernelFacts &Facts,
                         const ExecutionProfile &Profile, uint32_t Index) {
  double Requests = 0;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I)
    if (areCopies(Facts, Facts.Accesses[Index], Facts.Accesses[I]) &&
        Profile.Accesses[I].WaveSectors)
      Requests += Profile.Accesses[I].RequestsPerWarp;
  return Requests;
}

/// Warps that pass over the same places in one order are so many requests
/// apart.
///
/// Source: H200, sweeps of all warps from one place on over 64 to 4096 sectors
/// (hot-lines.csv of 2026-11-28): the rate is that of 32 sectors in turn, 128
/// bytes apart that of 40.
static constexpr double RequestsApart = 32;

/// Requests of a warp to the load \p Index and its copies, where warps pass
/// over what they reach in one order.
static std::optional<double> requestsInStep(const KernelFacts &Facts,
                                            const ExecutionProfile &Profile,
                                            uint32_t Index) {
  constexpr double MostOfIt = 0.5;
  const AccessProfile &P = Profile.Accesses[Index];
  if (Facts.Accesses[Index].Kind != AccessKind::Load || !P.WaveSectors ||
      !P.IsInOrder)
    return std::nullopt;
  const double Requests = requestsOf(Facts, Profile, Index);
  if (Requests > RequestsApart &&
      Requests * P.SectorsPerRequest >= MostOfIt * *P.WaveSectors)
    return Requests;
  return std::nullopt;
}

bool gpuocc::readsInStep(const KernelFacts &Facts,
                         const ExecutionProfile &Profile, uint32_t Index) {
  return requestsInStep(Facts, Profile, Index).has_value();
}

/// What the warps of a wave read at a time: those that each pass over most of
/// it are near each other. Warps that start apart reach the rate of all;
/// nothing tells them from others here.
static Places placesReadAtATime(const KernelFacts &Facts,
                                const ExecutionProfile &Profile, uint32_t Index,
                                Numbers &N) {
  const AccessProfile &P = Profile.Accesses[Index];
  Places All = {*P.WaveSectors, std::nullopt};
  if (P.WaveSpanBytes)
    All.SpanBytes = *P.WaveSpanBytes;
  const std::optional<double> Requests = requestsInStep(Facts, Profile, Index);
  if (!Requests)
    return All;
  const double Bytes = All.Sectors * N.sectorBytes();
  const double OfWarp = *Requests * Facts.Accesses[Index].BytesPerLane *
                        std::max(1.0, P.DistinctAddressesPerRequest);
  const double Sweeps = OfWarp / std::min(All.SpanBytes.value_or(Bytes), Bytes);
  const double Share =
      std::min(1.0, RequestsApart / *Requests * std::max(1.0, Sweeps));
  All.Sectors = std::max(1.0, All.Sectors * Share);
  if (All.SpanBytes)
    *All.SpanBytes *= Share;
  return All;
}

/// Of a request of the loads \p Index.
static double cyclesOfRequest(const KernelFacts &Facts,
                              const ExecutionProfile &Profile, uint32_t Index,
                              Numbers &N) {
  const MemoryAccess &A = Facts.Accesses[Index];
  const AccessProfile &P = Profile.Accesses[Index];
  const FlatDevice &D = N.device();
  const auto Turns = D.get(Quantity::RedGlobalSameAddress),
             Line = D.get(Quantity::RedGlobalOneLine),
             Apart = D.get(Quantity::RedGlobalDistinct);
  // Nobody knows in how few lines it lies.
  if (goesWhereDataLead(A, P))
    return 0;
  if (A.Kind != AccessKind::Load || A.Bulk || !P.WaveSectors ||
      *P.WaveSectors <= 0 || !Turns || !Line || !Apart)
    return 0;
  const double All = std::max(1.0, *Apart * N.smCount() / *Line);
  const Places At = placesReadAtATime(Facts, Profile, Index, N);
  const double Slices = slicesOf(/*Returns=*/false, At, All, D);
  constexpr double NearlyAll = 0.5;
  if (Slices > NearlyAll * All)
    return 0;
  const double Copies = std::max(1.0, N.getOrDefault(Quantity::L2Partitions));
  return N.smCount() * P.LinesPerRequest * (1 - P.L1HitFraction) /
         (*Turns * Slices * Copies);
}

double gpuocc::mostOfCopies(const KernelFacts &Facts,
                            llvm::ArrayRef<double> Cycles) {
  double Most = 0;
  for (size_t I = 0; I != Cycles.size(); ++I) {
    double OfCopies = 0;
    for (size_t J = 0; Cycles[I] > 0 && J != Cycles.size(); ++J)
      if (Cycles[J] > 0 &&
          areCopies(Facts, Facts.Accesses[I], Facts.Accesses[J]))
        OfCopies += Cycles[J];
    Most = std::max(Most, OfCopies);
  }
  return Most;
}

double gpuocc::hotLineCycles(const KernelFacts &Facts,
                             const ExecutionProfile &Profile, Numbers &N) {
  if (!N.has(Mechanism::HotLines))
    return 0;
  const uint32_t Count = uint32_t(Facts.Accesses.size());
  std::vector<double> Cycles(Count);
  for (uint32_t I = 0; I != Count; ++I)
    if (const double Requests = Profile.Accesses[I].RequestsPerWarp)
      Cycles[I] = Requests * cyclesOfRequest(Facts, Profile, I, N);
  return mostOfCopies(Facts, Cycles);
}
