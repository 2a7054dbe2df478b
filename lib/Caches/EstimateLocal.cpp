//===- EstimateLocal.cpp - Where local memory is found again --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheEstimate.h"
#include "gpuocc/Kernel/Spills.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

/// Hits of accesses that come back after \p Window bytes of others, in a cache
/// of \p Bytes that evicts at random. A line survives each of the misses
/// between, (1 - h) Window lines, with 1 - 1 / size: h = exp(-(1 - h) W / B).
static double hitFraction(double Bytes, double Window) {
  if (Window <= Bytes)
    return 1;
  if (Bytes <= 0)
    return 0;
  // From below: 1 solves it too.
  double Hits = 0;
  for (unsigned Round = 0; Round != 64; ++Round)
    Hits = std::exp(-(1 - Hits) * Window / Bytes);
  return Hits;
}

void gpuocc::estimateLocal(const WalkedLaunch &L, ExecutionProfile &Profile) {
  const KernelFacts &Facts = L.facts();
  const MemoryGeometry &Geometry = L.geometry();
  double LocalBytes = 0, SlotBytes = 0;
  for (const Symbol &S : Facts.Symbols)
    if (S.Space == MemorySpace::Local)
      LocalBytes += double(S.SizeBytes) * WarpLanes;
  for (const MemoryAccess &A : Facts.Accesses)
    if (isSpill(Facts, A))
      SlotBytes = double(Facts.Symbols[A.Base.Index].SizeBytes) * WarpLanes;
  // L1 has only what slots hold at a time.
  const double InUse = LocalBytes - SlotBytes +
                       double(Facts.Resources.SpilledAtOnceBytes) * WarpLanes;
  if (LocalBytes == 0 || Geometry.L1Bytes == 0 || Geometry.L2Bytes == 0)
    return;
  double OtherBytes = 0, LocalTouched = 0;
  for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    const AccessProfile &P = Profile.Accesses[I];
    if (A.Space == MemorySpace::Global && A.Kind == AccessKind::Load)
      OtherBytes += P.RequestsPerWarp * P.SectorsPerRequest *
                    Geometry.SectorBytes * (1 - P.L1HitFraction);
    if (A.Space == MemorySpace::Local)
      LocalTouched +=
          P.RequestsPerWarp * P.SectorsPerRequest * Geometry.SectorBytes;
  }
  const double Sms = std::max(1u, Geometry.SmCount);
  const double Grid = std::max(1.0, double(L.grid().count()));
  const double Blocks =
      std::clamp(std::ceil(Grid / Sms), 1.0,
                 double(std::max(1u, Geometry.ResidentBlocksPerSm)));
  const double Warps = Blocks * L.warpsPerBlock();
  // A small grid leaves SMs without blocks.
  const double AllWarps = std::min(Grid, Sms * Blocks) * L.warpsPerBlock();
  const double L1 = std::max(0.0, double(Geometry.L1Bytes) -
                                      Blocks * double(Facts.StaticSharedBytes +
                                                      L.dynamicSharedBytes()));
  // Partitions of L2 keep copies of what is read through them, not of what is
  // only written.
  const double Partitions = std::max(1u, Geometry.L2Partitions);
  for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    AccessProfile &P = Profile.Accesses[I];
    if (A.Space != MemorySpace::Local)
      continue;
    const bool IsOfSpill = isSpill(Facts, A);
    // What else passes until a byte is touched again: a slot as often as the
    // access is made.
    const double Visits = IsOfSpill ? 1 + std::max(1.0, P.RequestsPerWarp)
                                    : std::max(2.0, LocalTouched / LocalBytes);
    const double OtherBetween = OtherBytes / Visits;
    double OtherInL2 = AllWarps * OtherBetween;
    if (Profile.FootprintReadBytes)
      OtherInL2 = std::min(OtherInL2, *Profile.FootprintReadBytes);
    const double InL1 = hitFraction(L1, Warps * (InUse + OtherBetween));
    const double Copies =
        IsOfSpill ? 1 + (Partitions - 1) * (1 - InL1) : Partitions;
    P.L2HitFraction = hitFraction(double(Geometry.L2Bytes) / Copies,
                                  AllWarps * LocalBytes + OtherInL2);
    // The simulation of L1 knows where other accesses find their words, as far
    // as it goes.
    if (!IsOfSpill && !P.ReuseReason.empty())
      continue;
    P.L1HitFraction = InL1;
    P.L1WaitFraction = P.LineVisitFraction = 1 - InL1;
    P.ReuseReason = "found again in the order in which warps take turns";
  }
}
