//===- EstimateLocal.cpp - Where local memory is found again --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheEstimate.h"
#include "LaunchInputs.h"
#include "gpuocc/Kernel/SpillCode.h"
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

void gpuocc::estimateLocal(const KernelFacts &Facts, LaunchInputs &Inputs,
                           const MemoryGeometry &Geometry,
                           ExecutionProfile &Profile) {
  double LocalBytes = 0;
  for (const Symbol &S : Facts.Symbols)
    if (S.Space == MemorySpace::Local)
      LocalBytes += double(S.SizeBytes) * WarpLanes;
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
  const double Blocks =
      std::clamp(std::ceil(double(Inputs.grid().count()) / Sms), 1.0,
                 double(std::max(1u, Geometry.ResidentBlocksPerSm)));
  const double Warps = Blocks * Inputs.warpsPerBlock();
  const double L1 =
      std::max(0.0, double(Geometry.L1Bytes) -
                        Blocks * double(Facts.StaticSharedBytes +
                                        Inputs.dynamicSharedBytes()));
  // What else passes until a byte is touched again; a spill is written once and
  // read once.
  const double OtherBetween =
      OtherBytes / std::max(2.0, LocalTouched / LocalBytes);
  double OtherInL2 = Sms * Warps * OtherBetween;
  if (Profile.FootprintReadBytes)
    OtherInL2 = std::min(OtherInL2, *Profile.FootprintReadBytes);
  const double InL1 = hitFraction(L1, Warps * (LocalBytes + OtherBetween));
  const double InL2 = hitFraction(double(Geometry.L2Bytes) /
                                      std::max(1u, Geometry.L2Partitions),
                                  Sms * Warps * LocalBytes + OtherInL2);
  for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    AccessProfile &P = Profile.Accesses[I];
    if (A.Space != MemorySpace::Local)
      continue;
    P.L2HitFraction = InL2;
    if (!isSpill(Facts, A))
      continue;
    P.L1HitFraction = InL1;
    P.L1WaitFraction = P.LineVisitFraction = 1 - InL1;
    P.ReuseReason = "found again in the order in which warps take turns";
  }
}
