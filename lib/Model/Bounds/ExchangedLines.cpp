//===- ExchangedLines.cpp - Lines that all warps load and store -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/ExchangedLines.h"
#include "Bounds/HotLines.h"
#include "gpuocc/Kernel/AccessCopies.h"
#include "gpuocc/Model/SweepsInStep.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace gpuocc;

/// Do both reach the same words in a block of code, the first one first?
static bool isAtSamePlace(const KernelFacts &Facts, const MemoryAccess &First,
                          const MemoryAccess &Second) {
  return First.Op < Second.Op && First.Base == Second.Base &&
         First.OffsetBytes == Second.OffsetBytes &&
         First.BytesPerLane == Second.BytesPerLane &&
         Facts.Operations[First.Op].Block == Facts.Operations[Second.Op].Block;
}

/// The store that puts back what the load \p Index has loaded, changed; NoIndex
/// where there is none, or one stores there before.
static uint32_t storeBehind(const KernelFacts &Facts,
                            const ExecutionProfile &Profile, uint32_t Index) {
  const MemoryAccess &Load = Facts.Accesses[Index];
  uint32_t Found = NoIndex;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &Store = Facts.Accesses[I];
    if (Store.Kind != AccessKind::Store ||
        Profile.Accesses[I].RequestsPerWarp <= 0)
      continue;
    if (isAtSamePlace(Facts, Store, Load))
      return NoIndex;
    if (isAtSamePlace(Facts, Load, Store))
      Found = I;
  }
  return Found;
}

/// Requests of a warp to the load \p Index and its copies while it stays in
/// their loop.
static double requestsOfSweep(const KernelFacts &Facts,
                              const ExecutionProfile &Profile, uint32_t Index) {
  const MemoryAccess &A = Facts.Accesses[Index];
  double Copies = 0;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I)
    if (Profile.Accesses[I].RequestsPerWarp > 0 &&
        areCopies(Facts, A, Facts.Accesses[I]))
      ++Copies;
  const uint32_t Loop = Facts.Blocks[Facts.Operations[A.Op].Block].Loop;
  return Loop < Profile.Loops.size() ? Copies * Profile.Loops[Loop].TripCount
                                     : Copies;
}

double gpuocc::linesExchanged(const KernelFacts &Facts,
                              const ExecutionProfile &Profile, uint32_t Index,
                              double SectorBytes, double LineBytes) {
  constexpr double MostOfThem = 0.5;
  const MemoryAccess &A = Facts.Accesses[Index];
  if (A.Kind != AccessKind::Load || A.Bulk ||
      Profile.Accesses[Index].RequestsPerWarp <= 0)
    return 0;
  const uint32_t Store = storeBehind(Facts, Profile, Index);
  if (Store == NoIndex)
    return 0;
  const AccessProfile &P = Profile.Accesses[Index],
                      &Of = Profile.Accesses[Store];
  const bool IsWave = P.WaveSectors && P.WaveSpanBytes;
  const Known<double> &Sectors = IsWave ? P.WaveSectors : Of.GridSectors,
                      &Span = IsWave ? P.WaveSpanBytes : Of.GridSpanBytes;
  if (!Sectors || !Span || !P.IsInOrder || P.DrawnAddresses ||
      P.LinesPerRequest <= 0)
    return 0;
  const double Lines = std::max(1.0, *Span / LineBytes);
  const double OfWarp = requestsOfSweep(Facts, Profile, Index) *
                        A.BytesPerLane *
                        std::max(1.0, P.DistinctAddressesPerRequest);
  if (*Sectors * SectorBytes < MostOfThem * *Span ||
      OfWarp < MostOfThem * *Span ||
      P.SectorsPerRequest / P.LinesPerRequest > MostOfThem * *Sectors / Lines)
    return 0;
  return Lines;
}

/// For a load and the store behind it.
static double cyclesOfExchange(double Lines, double WarpsPerSm, Numbers &N) {
  constexpr double OfOneLine = 18, OfWarps = 32, LinesUnderWay = 0.5;
  // More warps part, and find what others have stored between.
  const double Parted = std::sqrt(std::min(1.0, WarpsPerSm / OfWarps));
  return N.smCount() * OfOneLine * Parted /
         std::max(1.0, LinesUnderWay * Lines);
}

double gpuocc::exchangedLineCycles(const KernelFacts &Facts,
                                   const ExecutionProfile &Profile,
                                   double WarpsPerSm, Numbers &N) {
  if (!N.has(Mechanism::HotLines))
    return 0;
  const uint32_t Count = uint32_t(Facts.Accesses.size());
  std::vector<double> Cycles(Count);
  for (uint32_t I = 0; I != Count; ++I) {
    const double Lines = linesExchanged(Facts, Profile, I, N.sectorBytes(),
                                        N.get(Quantity::L1LineBytes));
    if (Lines > 0)
      Cycles[I] = Profile.Accesses[I].RequestsPerWarp *
                  cyclesOfExchange(Lines, WarpsPerSm, N);
  }
  return mostOfCopies(Facts, Cycles);
}
