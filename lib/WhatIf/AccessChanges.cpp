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

/// Share of the sectors that the loads (or all but the loads) of \p Group need
/// that DRAM moves: what it moves now, as far as it is needed. Fields of a
/// structure share sectors, which only the first of their loads brings.
static double dramShare(const KernelVariant &V, ArrayRef<uint32_t> Group,
                        bool OfLoads) {
  double Moved = 0, Wanted = 0;
  for (uint32_t I : Group) {
    if (isLoad(V, I) != OfLoads)
      continue;
    const AccessProfile &A = V.Profile.Accesses[I];
    const double Passed = OfLoads ? 1 - A.L1HitFraction : 1;
    Moved += A.RequestsPerWarp * A.SectorsPerRequest * Passed *
             (1 - A.L2HitFraction);
    Wanted += A.RequestsPerWarp * A.IdealSectorsPerRequest;
  }
  return Wanted > 0 ? std::min(1.0, Moved / Wanted) : 0;
}

static void coalesce(KernelVariant &V, ArrayRef<uint32_t> Group,
                     const MemoryGeometry &G, unsigned Rows) {
  const double SectorsPerLine = double(G.LineBytes) / G.SectorBytes;
  const double Loads = dramShare(V, Group, /*OfLoads=*/true);
  const double Others = dramShare(V, Group, /*OfLoads=*/false);
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
    A.L2HitFraction = 1 - (isLoad(V, I) ? Loads : Others);
    // The sectors that hit were the ones fetched beyond need.
    A.L1HitFraction = 0;
    A.L1WaitFraction = A.LineVisitFraction = 1;
    A.MergedStoreFraction = 0;
    A.FetchedAlongFraction = A.VisitsFetchedAlongFraction = 0;
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
