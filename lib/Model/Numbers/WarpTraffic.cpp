//===- WarpTraffic.cpp - What the memory accesses of a warp cost ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/WarpTraffic.h"
#include <utility>

using namespace gpuocc;

bool gpuocc::isCached(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Global:
  case MemorySpace::Local:
  case MemorySpace::Generic:
  case MemorySpace::Texture:
    return true;
  case MemorySpace::Shared:
  case MemorySpace::Constant:
  case MemorySpace::Param:
    return false;
  }
  return false;
}

ServiceLevels gpuocc::serviceLevels(const MemoryAccess &A,
                                    const AccessProfile &P) {
  // Atomics are performed in L2.
  bool Bypass = isAtomic(A.Kind);
  double MissL1 = Bypass ? 1 : 1 - P.L1HitFraction;
  double MissL2 = MissL1 * (1 - P.L2HitFraction);
  return {1 - MissL1, MissL1 - MissL2, MissL2};
}

AccessTraffic gpuocc::accessTraffic(const MemoryAccess &A,
                                    const AccessProfile &P,
                                    double SectorBytes) {
  AccessTraffic T;
  if (!isCached(A.Space))
    return T;
  double Bytes = P.SectorsPerRequest * SectorBytes;
  ServiceLevels Levels = serviceLevels(A, P);
  switch (A.Kind) {
  case AccessKind::Load:
  case AccessKind::AsyncCopy:
    T.L2ReadBytes = Bytes * (Levels.L2 + Levels.Dram);
    T.DramReadBytes = Bytes * Levels.Dram;
    break;
  case AccessKind::Store:
    // L1 writes through, local memory too (H200: 80 stores of a line per warp
    // arrive at L2 as 318 of 320 sectors, Nsight Compute, 2026-11-21). L2 keeps
    // a line until it is evicted.
    T.L2WriteBytes = Bytes * (1 - P.MergedStoreFraction);
    T.DramReadBytes = Bytes * P.RestFetchedFraction.valueOr(0);
    T.DramWriteBytes = Bytes * (1 - P.L2HitFraction);
    break;
  case AccessKind::Atomic:
  case AccessKind::Reduction:
    T.L2ReadBytes = A.Kind == AccessKind::Atomic ? Bytes : 0;
    T.L2WriteBytes = Bytes;
    T.DramReadBytes = Bytes * Levels.Dram;
    T.DramWriteBytes = Bytes * Levels.Dram;
    break;
  }
  if (P.IsHostMemory) {
    T.HostReadBytes = std::exchange(T.DramReadBytes, 0);
    T.HostWriteBytes = T.L2WriteBytes;
    T.DramWriteBytes = 0;
  }
  return T;
}
