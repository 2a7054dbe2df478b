//===- AccessChanges.cpp - Changes of memory accesses ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/AccessChanges.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace gpuocc;
using namespace llvm;

Change gpuocc::removeBankConflicts(AccessList Accesses) {
  return makeChange(ChangeKind::RemoveConflicts,
                    [Accesses = std::move(Accesses)](KernelVariant &V) {
                      for (uint32_t I : Accesses) {
                        AccessProfile &A = V.Profile.Accesses[I];
                        A.WavefrontsPerRequest = A.IdealWavefrontsPerRequest;
                      }
                    });
}

static bool isLoad(const KernelVariant &V, uint32_t Access) {
  return V.Facts.Accesses[Access].Kind == AccessKind::Load;
}

namespace {

/// Shares of the sectors that accesses need.
struct MovedShares {
  /// That L2 is asked for, and that DRAM moves.
  double FromL2 = 0, FromDram = 0;
};

} // namespace

/// The shares of the loads (or of all but the loads) of \p Group: what is moved
/// now, as far as it is needed. Fields of a structure share sectors, which only
/// the first of their loads brings.
static MovedShares movedShares(const KernelVariant &V, ArrayRef<uint32_t> Group,
                               bool OfLoads) {
  double All = 0, Passed = 0, Moved = 0, Wanted = 0;
  for (uint32_t I : Group) {
    if (isLoad(V, I) != OfLoads)
      continue;
    const AccessProfile &A = V.Profile.Accesses[I];
    const double Asked = A.RequestsPerWarp * A.SectorsPerRequest;
    const double OfAccess = Asked * (OfLoads ? 1 - A.L1HitFraction : 1);
    All += Asked;
    Passed += OfAccess;
    Moved += OfAccess * (1 - A.L2HitFraction);
    Wanted += A.RequestsPerWarp * A.IdealSectorsPerRequest;
  }
  if (Wanted <= 0 || All <= 0)
    return {};
  // Lanes that go apart find in L1 what they found before, no more.
  return {std::min(1.0, Passed / std::min(All, Wanted)),
          std::min(1.0, Moved / Wanted)};
}

static void coalesce(KernelVariant &V, ArrayRef<uint32_t> Group,
                     const MemoryGeometry &G, unsigned Rows) {
  const double SectorsPerLine = double(G.LineBytes) / G.SectorBytes;
  const MovedShares Loads = movedShares(V, Group, /*OfLoads=*/true);
  const MovedShares Others = movedShares(V, Group, /*OfLoads=*/false);
  for (uint32_t I : Group) {
    AccessProfile &A = V.Profile.Accesses[I];
    // L2 serves the sectors of an atomic one after the other.
    if (isAtomic(V.Facts.Accesses[I].Kind) && A.SectorsPerRequest > 0)
      A.SerializedPasses *= A.IdealSectorsPerRequest / A.SectorsPerRequest;
    A.SectorsPerRequest = A.IdealSectorsPerRequest;
    A.LinesPerRequest =
        std::max(std::ceil(A.SectorsPerRequest / SectorsPerLine),
                 std::min(double(Rows), A.SectorsPerRequest));
    A.WavefrontsPerRequest = A.IdealWavefrontsPerRequest;
    const MovedShares &Moved = isLoad(V, I) ? Loads : Others;
    // Sectors that are needed again are found where they were; the others that
    // hit were fetched beyond need.
    A.L1HitFraction = isLoad(V, I) ? 1 - Moved.FromL2 : 0;
    const double Asked = 1 - A.L1HitFraction;
    A.L2HitFraction = Asked > 0 ? 1 - std::min(1.0, Moved.FromDram / Asked) : 1;
    A.L1WaitFraction = A.LineVisitFraction = 1 - A.L1HitFraction;
    A.MergedStoreFraction = 0;
    A.FetchedAlongFraction = A.VisitsFetchedAlongFraction = 0;
    A.AwaitsOtherFraction = 0;
  }
}

Change gpuocc::coalesceAccesses(std::vector<AccessList> Groups,
                                MemoryGeometry G, unsigned Rows) {
  return makeChange(ChangeKind::Coalesce,
                    [Groups = std::move(Groups), G, Rows](KernelVariant &V) {
                      for (const AccessList &Group : Groups)
                        coalesce(V, Group, G, Rows);
                    });
}

Change gpuocc::readFromGlobal(AccessList Accesses) {
  return makeChange(ChangeKind::ReadGlobal,
                    [Accesses = std::move(Accesses)](KernelVariant &V) {
                      for (uint32_t I : Accesses) {
                        MemoryAccess &A = V.Facts.Accesses[I];
                        A.Space = MemorySpace::Global;
                        A.NonCoherent = true;
                        for (Emission &E : V.Facts.Operations[A.Op].Emits)
                          if (E.Class == InstClass::Ldc)
                            E.Class = InstClass::LdGlobal;
                      }
                    });
}

Change gpuocc::cacheLoads(AccessList Accesses) {
  return makeChange(ChangeKind::CacheLoads,
                    [Accesses = std::move(Accesses)](KernelVariant &V) {
                      for (uint32_t I : Accesses)
                        V.Facts.Accesses[I].Volatile = false;
                    });
}

Change gpuocc::keepInRegisters(AccessList Accesses, unsigned MoreRegisters,
                               unsigned MostRegisters) {
  return makeChange(
      ChangeKind::KeepInRegisters,
      [=, Accesses = std::move(Accesses)](KernelVariant &V) {
        unsigned &Registers = V.Facts.Resources.RegistersPerThread;
        Registers = std::min(MostRegisters, Registers + MoreRegisters);
        for (uint32_t I : Accesses) {
          V.Facts.Operations[V.Facts.Accesses[I].Op].Emits.clear();
          V.Profile.Accesses[I].ExecutionsPerWarp = 0;
          V.Profile.Accesses[I].RequestsPerWarp = 0;
        }
      });
}
