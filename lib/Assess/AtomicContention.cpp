//===- AtomicContention.cpp - Atomics on one address ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Geometry.h"
#include "Mend.h"
#include "Price.h"
#include "gpuocc/Model/Predict.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static constexpr double LanesPerWarp = 32;

static double warpsPerBlock(const Case &C) {
  return std::max(
      1.0, std::ceil(double(C.Launched.Block.Value.count()) / LanesPerWarp));
}

/// One lane of each warp acts for all, and the warps meet on few sectors.
static bool meetsOtherWarps(const Case &C, uint32_t I) {
  const AccessProfile &A = C.Profile.Accesses[I];
  const double NumWarps =
      double(C.Launched.Grid ? C.Launched.Grid->Value.count() : 1) *
      warpsPerBlock(C);
  return C.Facts.Accesses[I].Combining == LaneCombining::OneLane &&
         A.GridSectors && NumWarps * A.RequestsPerWarp > *A.GridSectors;
}

/// Words that the whole grid updates with access \p I.
static double wordsOfGrid(const Case &C, uint32_t I) {
  const AccessProfile &A = C.Profile.Accesses[I];
  return A.DrawnPlaces ? *A.DrawnPlaces
                       : *A.GridSpanBytes / C.Facts.Accesses[I].BytesPerLane;
}

/// Global words that each block updates more than once, and that every block
/// has room for in shared memory.
static bool canBeCountedInBlocks(const Case &C, uint32_t I) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  const AccessProfile &A = C.Profile.Accesses[I];
  if (Access.Space == MemorySpace::Shared || !A.GridSpanBytes ||
      Access.Combining == LaneCombining::OneLane)
    return false;
  const double Words = wordsOfGrid(C, I);
  const double Bytes = Words * Access.BytesPerLane;
  return Words < A.RequestsPerWarp * A.ActiveLanes * warpsPerBlock(C) &&
         double(C.Block.sharedBytes()) + Bytes <=
             double(C.Limits.SharedBytesPerBlock.value_or(0));
}

/// Lanes on one address. Those that try again are one less after each success.
static double lanesOnAddress(const Case &C, uint32_t I) {
  const double Mean = C.Profile.Accesses[I].LanesPerAddress;
  return C.Facts.Accesses[I].Combining == LaneCombining::Retried ? 2 * Mean - 1
                                                                 : Mean;
}

/// Lanes per warp that wait for another lane's turn; warps of a block that
/// wait for another warp's; lanes that could have been counted in their block.
static double waitingLanes(const Case &C, uint32_t I) {
  if (!isAtomic(C.Facts.Accesses[I].Kind))
    return 0;
  const AccessProfile &A = C.Profile.Accesses[I];
  if (A.Exact == Exactness::Unknown)
    return 0;
  if (meetsOtherWarps(C, I))
    return A.RequestsPerWarp * (1 - 1 / warpsPerBlock(C));
  if (canBeCountedInBlocks(C, I))
    return A.RequestsPerWarp * A.ActiveLanes -
           wordsOfGrid(C, I) / warpsPerBlock(C);
  if (A.LanesPerAddress <= 1)
    return 0;
  return A.RequestsPerWarp * (A.LanesPerAddress - 1);
}

/// One lane speaks for all on the same address, or one warp for its block.
static Price priceCombined(const Case &C, const AccessGroup &Group) {
  ExecutionProfile Mended = C.Profile;
  for (uint32_t I : Group.Members) {
    AccessProfile &A = Mended.Accesses[I];
    if (meetsOtherWarps(C, I)) {
      A.RequestsPerWarp /= warpsPerBlock(C);
      continue;
    }
    if (C.Facts.Accesses[I].Combining == LaneCombining::Retried) {
      const double Turns = A.TurnsPerRequest;
      scaleBlock(C.Facts, Mended,
                 C.Facts.Operations[C.Facts.Accesses[I].Op].Block,
                 1 / lanesOnAddress(C, I));
      A.TurnsPerRequest = Turns;
      A.LanesPerAddress = 1;
      continue;
    }
    A.ActiveLanes /= A.LanesPerAddress;
    A.TurnsPerRequest /= A.LanesPerAddress;
    A.LanesPerAddress = 1;
    A.WavefrontsPerRequest = A.IdealWavefrontsPerRequest;
  }
  return priceProfile(C, Mended);
}

/// Lanes count in shared memory, and each block adds up once.
static Price priceCountedInBlocks(const Case &C, const AccessGroup &Group) {
  const MemoryGeometry G = geometryOf(C.Device, C.Predicted.BlocksPerSm);
  KernelFacts Facts = C.Facts;
  ExecutionProfile Profile = C.Profile;
  Launch Launched = C.Launched;
  double Words = 0;
  for (uint32_t I : Group.Members)
    Words = std::max(Words, wordsOfGrid(C, I));
  const MemoryAccess First = C.Facts.Accesses[Group.Members.front()];
  Launched.DynamicSharedBytes.Value += uint64_t(Words * First.BytesPerLane);

  // The update of the block, with an operation that issues nothing of its own.
  AccessProfile OfBlock = C.Profile.Accesses[Group.Members.front()];
  OfBlock.ExecutionsPerWarp = OfBlock.RequestsPerWarp =
      std::ceil(Words / LanesPerWarp) / warpsPerBlock(C);
  OfBlock.ActiveLanes = OfBlock.DistinctAddressesPerRequest =
      std::min(Words, LanesPerWarp);
  const double Bytes = OfBlock.ActiveLanes * First.BytesPerLane;
  OfBlock.SectorsPerRequest = OfBlock.IdealSectorsPerRequest =
      OfBlock.TurnsPerRequest = std::ceil(Bytes / G.SectorBytes);
  OfBlock.LinesPerRequest = OfBlock.WavefrontsPerRequest =
      std::ceil(Bytes / G.LineBytes);
  OfBlock.LanesPerAddress = 1;
  MemoryAccess Update = First;
  Operation UpdateOp;
  UpdateOp.Block = Facts.Operations[First.Op].Block;
  UpdateOp.Location = Facts.Operations[First.Op].Location;
  UpdateOp.Access = uint32_t(Facts.Accesses.size());
  Update.Op = uint32_t(Facts.Operations.size());
  Facts.Operations.push_back(std::move(UpdateOp));
  Facts.Accesses.push_back(std::move(Update));
  Profile.Accesses.push_back(std::move(OfBlock));

  for (uint32_t I : Group.Members) {
    MemoryAccess &Access = Facts.Accesses[I];
    Access.Space = MemorySpace::Shared;
    Facts.Operations[Access.Op].Emits = {{InstClass::AtomShared, 1, 0}};
    AccessProfile &A = Profile.Accesses[I];
    A.TurnsPerRequest = A.WavefrontsPerRequest = A.LanesPerAddress;
  }
  return comparePredictions(
      C, C.Model.predict(Facts, Profile, Launched, PredictDetail::Comparison));
}

static void describeCombined(const Case &C, const AccessGroup &Group,
                             FindingWriter &W) {
  uint32_t First = Group.Members.front();
  const MemoryAccess &Access = C.Facts.Accesses[First];
  const AccessProfile &A = C.Profile.Accesses[First];
  const double Lanes =
      Access.Combining == LaneCombining::Retried
          ? lanesOnAddress(C, First)
          : Group.mean(C.Profile, &AccessProfile::LanesPerAddress);
  if (meetsOtherWarps(C, First)) {
    W << "all warps of the grid meet on "
      << named("GridSectors", formatCount(*A.GridSectors, "sector"))
      << " in this " << memorySpaceText(Access.Space) << " "
      << accessKindText(Access.Kind)
      << " (the assembler combines the lanes of a warp already) and are "
         "served one after the other; combine the warps of a block in shared "
         "memory and let one lane of the block update";
    return;
  }
  W << named("LanesPerAddress", formatNumber(Lanes))
    << " lanes of a warp use one address in this "
    << memorySpaceText(Access.Space) << " " << accessKindText(Access.Kind)
    << " and are served one after the other; ";
  if (A.DrawnPlaces)
    W << "keep several copies of the "
      << named("Words", formatCount(*A.DrawnPlaces, "word"))
      << " and let neighbouring lanes update different ones";
  else
    W << "combine them in the warp first (shuffles or __reduce_sync) and let "
         "one lane update";
}

static void describeCountedInBlocks(const Case &C, uint32_t First,
                                    FindingWriter &W) {
  const MemoryAccess &Access = C.Facts.Accesses[First];
  const AccessProfile &A = C.Profile.Accesses[First];
  W << "all blocks of the grid meet on "
    << named("Words", formatCount(wordsOfGrid(C, First), "word")) << " in this "
    << memorySpaceText(Access.Space) << " " << accessKindText(Access.Kind);
  if (A.DrawnPlaces)
    W << ", if loaded indices choose all of them alike,";
  W << " and L2 serves " << named("Turns", formatNumber(A.TurnsPerRequest))
    << " " << plural(formatNumber(A.TurnsPerRequest), "turn")
    << " of a warp one after the other; count in shared memory and let "
       "each block update once";
}

void gpuocc::findAtomicContention(const Case &C, Findings &Out) {
  auto Excess = [&](uint32_t I) { return waitingLanes(C, I); };
  for (const AccessGroup &Group :
       groupAccesses(C, RuleId::AtomicContention, Excess)) {
    uint32_t First = Group.Members.front();
    FindingWriter W(RuleId::AtomicContention, locationOfAccess(C.Facts, First));
    W.finding().Access = First;
    W.finding().Exact = C.Profile.Accesses[First].Exact;
    const bool InBlocks =
        !meetsOtherWarps(C, First) && canBeCountedInBlocks(C, First);
    if (InBlocks)
      describeCountedInBlocks(C, First, W);
    else
      describeCombined(C, Group, W);
    addPrice(W, InBlocks ? priceCountedInBlocks(C, Group)
                         : priceCombined(C, Group));
    Out.push_back(std::move(W.finding()));
  }
}
