//===- AtomicChanges.cpp - Atomics that are combined ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/AtomicChanges.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static constexpr double LanesPerWarp = 32;

static void combine(KernelVariant &V, const CombinedAtomic &How) {
  AccessProfile &A = V.Profile.Accesses[How.Access];
  if (How.Warps > 1) {
    A.RequestsPerWarp /= How.Warps;
    return;
  }
  const MemoryAccess &Access = V.Facts.Accesses[How.Access];
  if (Access.Combining == LaneCombining::Retried) {
    const double Turns = A.SerializedPasses;
    scaleBlock(V.Facts, V.Profile, V.Facts.Operations[Access.Op].Block,
               1 / How.Lanes);
    A.SerializedPasses = Turns;
    A.LanesPerAddress = 1;
    return;
  }
  A.ActiveLanes /= A.LanesPerAddress;
  A.SerializedPasses /= A.LanesPerAddress;
  A.LanesPerAddress = 1;
  A.WavefrontsPerRequest = A.IdealWavefrontsPerRequest;
}

Change gpuocc::combineAtomics(std::vector<CombinedAtomic> Atomics) {
  return makeChange(ChangeKind::CombineLanes,
                    [Atomics = std::move(Atomics)](KernelVariant &V) {
                      for (const CombinedAtomic &How : Atomics)
                        combine(V, How);
                    });
}

/// What a block does once for its words, as \p OfWarp does it for those of a
/// request; mean over \p Warps.
static AccessProfile updateOfBlock(const AccessProfile &OfWarp, double Words,
                                   unsigned BytesPerLane, double Warps,
                                   const MemoryGeometry &G) {
  AccessProfile P = OfWarp;
  P.ExecutionsPerWarp = P.RequestsPerWarp =
      std::ceil(Words / LanesPerWarp) / Warps;
  P.ActiveLanes = P.DistinctAddressesPerRequest = std::min(Words, LanesPerWarp);
  const double Bytes = P.ActiveLanes * BytesPerLane;
  P.SectorsPerRequest = P.IdealSectorsPerRequest = P.SerializedPasses =
      std::ceil(Bytes / G.SectorBytes);
  P.LinesPerRequest = P.WavefrontsPerRequest = std::ceil(Bytes / G.LineBytes);
  P.LanesPerAddress = 1;
  return P;
}

/// Adds the update of the block to \p V, with an operation that issues nothing
/// of its own.
static void addUpdate(KernelVariant &V, uint32_t Like, AccessProfile Profile) {
  const MemoryAccess First = V.Facts.Accesses[Like];
  MemoryAccess Update = First;
  Operation Op;
  Op.Block = V.Facts.Operations[First.Op].Block;
  Op.Location = V.Facts.Operations[First.Op].Location;
  Op.Access = uint32_t(V.Facts.Accesses.size());
  Update.Op = uint32_t(V.Facts.Operations.size());
  V.Facts.Operations.push_back(std::move(Op));
  V.Facts.Accesses.push_back(std::move(Update));
  V.Profile.Accesses.push_back(std::move(Profile));
}

static void count(KernelVariant &V, const CountedWords &Counted,
                  const MemoryGeometry &G) {
  const uint32_t First = Counted.Accesses.front();
  const unsigned Bytes = V.Facts.Accesses[First].BytesPerLane;
  const double Warps =
      std::max(1.0, V.Launched.warpsPerBlock() * 1.0) * Counted.BlocksInTurn;
  V.Launched.DynamicSharedBytes.Value += uint64_t(Counted.Words * Bytes);
  addUpdate(
      V, First,
      updateOfBlock(V.Profile.Accesses[First], Counted.Words, Bytes, Warps, G));
  for (uint32_t I : Counted.Accesses) {
    MemoryAccess &Access = V.Facts.Accesses[I];
    Access.Space = MemorySpace::Shared;
    V.Facts.Operations[Access.Op].Emits = {{InstClass::AtomShared, 1, 0}};
    AccessProfile &A = V.Profile.Accesses[I];
    A.SerializedPasses = A.WavefrontsPerRequest = A.LanesPerAddress;
  }
}

Change gpuocc::countInBlocks(std::vector<CountedWords> Counted,
                             MemoryGeometry G) {
  return makeChange(ChangeKind::CountInBlocks,
                    [=, Counted = std::move(Counted)](KernelVariant &V) {
                      for (const CountedWords &Words : Counted)
                        count(V, Words, G);
                    });
}
