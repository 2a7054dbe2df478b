//===- UncoalescedAccess.cpp - More sectors than needed -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "ExchangedThreads.h"
#include "Geometry.h"
#include "Price.h"
#include "PriceMerge.h"
#include "StructureFields.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Kernel/GatheredAccess.h"
#include "gpuocc/WhatIf/AccessChanges.h"
#include "gpuocc/WhatIf/PackThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// The fewest sectors that lanes of this pattern could touch. Lanes that are
/// side by side cannot come closer when some of them are inactive.
static double idealSectors(const Case &C, const MemoryAccess &Access,
                           const AccessProfile &A) {
  if (!A.LaneStrideBytes || *A.LaneStrideBytes != int64_t(Access.BytesPerLane))
    return A.IdealSectorsPerRequest;
  constexpr double LanesPerWarp = 32;
  const double SectorBytes =
      geometryOf(C.Device, C.Predicted.BlocksPerSm).SectorBytes;
  return std::max(A.IdealSectorsPerRequest,
                  std::min(A.SectorsPerRequest,
                           LanesPerWarp * Access.BytesPerLane / SectorBytes));
}

/// Where lanes lie follows from what was loaded: no other order of the threads
/// brings them together. What the model has drawn at random may well lie side
/// by side.
static bool isDecidedByData(const Case &C, uint32_t I) {
  const AccessProfile &A = C.Profile.Accesses[I];
  return !A.LaneStrideBytes && (A.Exact == Exactness::DataDependent ||
                                isGathered(C.Facts, C.Profile, I));
}

/// A loaded index decides where the lanes of \p Group lie, and is the same for
/// all lanes of a warp only as threads are ordered now. What a thread moves
/// itself it can leave to its neighbours; lanes that lie further apart become
/// neighbours in another order only, in which each loads an index of its own.
static bool isUpToLoadedIndex(const Case &C, const AccessGroup &Group) {
  double OfThread = 0;
  bool IsFar = false;
  for (uint32_t I : Group.Members)
    OfThread += C.Profile.Accesses[I].ExecutionsPerWarp *
                C.Facts.Accesses[I].BytesPerLane;
  for (uint32_t I : Group.Members) {
    const AccessProfile &A = C.Profile.Accesses[I];
    IsFar |= A.Exact == Exactness::DataDependent && A.LaneStrideBytes &&
             double(std::abs(*A.LaneStrideBytes)) > OfThread;
  }
  return IsFar;
}

/// Less is not worth another way to share the work.
static constexpr double BetterAlone = 1.1;

/// Sectors per warp beyond those that the lanes need, by \p Profile.
static double excessSectors(const Case &C, const ExecutionProfile &Profile,
                            uint32_t I) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  if (Access.Space != MemorySpace::Global &&
      Access.Space != MemorySpace::Generic)
    return 0;
  const AccessProfile &A = Profile.Accesses[I];
  if (A.Exact == Exactness::Unknown || isDecidedByData(C, I))
    return 0;
  return A.RequestsPerWarp * (A.SectorsPerRequest - idealSectors(C, Access, A));
}

static bool isInOrder(const Case &C, uint32_t I) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  const AccessProfile &A = C.Profile.Accesses[I];
  return Access.Space == MemorySpace::Global && A.RequestsPerWarp > 0 &&
         A.LaneStrideBytes &&
         std::abs(*A.LaneStrideBytes) == int64_t(Access.BytesPerLane);
}

/// Where no lanes lie side by side, another order of the threads puts right all
/// that lie alike. Otherwise it would put them out of order elsewhere.
static GroupBy causeOf(const Case &C) {
  const auto Accesses = seq<uint32_t>(uint32_t(C.Profile.Accesses.size()));
  return any_of(Accesses, [&](uint32_t I) { return isInOrder(C, I); })
             ? GroupBy::ArrayAndStride
             : GroupBy::Pattern;
}

/// Rows of memory that a warp has lanes in once x and y of its threads have
/// changed places: those that a row of lanes is short of a warp, whichever way
/// round. Two rows of 16 lanes do not lie in one line.
static unsigned rowsOfWarp(const Case &C) {
  constexpr uint64_t LanesPerWarp = 32;
  const Dim3 &Block = C.Launched.Block.Value;
  if (Block.X >= LanesPerWarp || Block.Y * Block.Z == 1)
    return 1;
  return unsigned(std::max<uint64_t>(
      1, std::min(uint64_t(Block.X), LanesPerWarp / Block.X)));
}

static Price priceCoalesced(const Case &C, ArrayRef<AccessGroup> Groups) {
  std::vector<AccessList> Members;
  for (const AccessGroup &Group : Groups)
    Members.push_back(Group.Members);
  return price(C,
               coalesceAccesses(std::move(Members),
                                geometryOf(C.Device, C.Predicted.BlocksPerSm),
                                rowsOfWarp(C)));
}

namespace {

/// What a thread for each block gains, in the launch that it takes.
struct ThreadsForBlocks {
  Price Gain;
  Launch Launched;
};

/// What a tile in shared memory gains, of which each thread moves some
/// elements.
struct PricedTile {
  unsigned ElementsOfThread = 1;
  Price Gain;
};

} // namespace

/// A tile of as many rows as columns, a warp wide, of code without loops:
/// blocks that move fewer elements than it has do the work of several, side by
/// side along y, or along x where there is no y. Its accesses of shared memory
/// are left out.
static std::optional<PricedTile> priceTile(const Case &C,
                                           const AccessGroup &Group) {
  constexpr uint64_t LanesPerWarp = 32, Elements = LanesPerWarp * LanesPerWarp;
  const uint64_t Threads = C.Launched.threadsPerBlock();
  if (!C.Facts.Loops.empty() || Threads % LanesPerWarp != 0 ||
      Elements % Threads != 0 || !C.Launched.Grid)
    return std::nullopt;
  const double Moved = std::max(1.0, Group.requests(C.Profile));
  const Merge Rows = {MergeOf::Blocks, C.Launched.Grid->Value.Y > 1 ? 1u : 0u,
                      unsigned(double(Elements / Threads) / Moved)};
  std::optional<KernelVariant> V =
      changed(C, coalesceAccesses({Group.Members},
                                  geometryOf(C.Device, C.Predicted.BlocksPerSm),
                                  rowsOfWarp(C)));
  if (!V || Rows.Factor < 2 ||
      !canMerge(V->Facts, V->Profile, V->Launched, Rows))
    return std::nullopt;
  Expected<KernelVariant> Merged = mergeWork(Rows).Apply(std::move(*V));
  if (!Merged) {
    consumeError(Merged.takeError());
    return std::nullopt;
  }
  if (!estimateMoreRegisters(C, Merged->Facts) || !canBeLaunched(C, *Merged))
    return std::nullopt;
  return PricedTile{unsigned(Elements / Threads),
                    priceVariant(C, std::move(*Merged))};
}

/// True unless lanes lie side by side and only start inside a sector.
static bool isOutOfOrder(const AccessProfile &A, unsigned BytesPerLane) {
  return !A.LaneStrideBytes || *A.LaneStrideBytes != int64_t(BytesPerLane);
}

/// The excess of \p Accesses once \p Other is their profile, as a share of
/// what it is now.
static double excessLeft(const Case &C, const ExecutionProfile &Other,
                         ArrayRef<uint32_t> Accesses) {
  double Before = 0, After = 0;
  for (uint32_t I : Accesses) {
    Before += excessSectors(C, C.Profile, I);
    After += excessSectors(C, Other, I);
  }
  return Before > 0 ? After / Before : 0;
}

/// The excess that accesses have in \p Other only, as a share of what all have
/// now.
static double excessAdded(const Case &C, const ExecutionProfile &Other) {
  double Before = 0, Added = 0;
  for (uint32_t I = 0; I != C.Profile.Accesses.size(); ++I) {
    const double Own = excessSectors(C, C.Profile, I);
    Before += Own;
    Added += std::max(0.0, excessSectors(C, Other, I) - Own);
  }
  return Before > 0 ? Added / Before : 0;
}

/// What an exchange of x and y of the threads does for a group of accesses.
enum class Exchange : uint8_t {
  /// It cannot be made, or leaves the group as it is.
  None,
  Fixes,
  /// It fixes the group and puts other accesses out of order.
  PartsOthers
};

static Exchange exchangeFor(const Case &C,
                            const std::optional<ExchangedThreads> &Other,
                            const AccessGroup &Group, const Price &Staged) {
  // What is left is of rows that begin inside a sector.
  constexpr double IsFixed = 0.5, IsSmall = 0.05;
  if (!Other || excessLeft(C, Other->Kernel.Profile, Group.Members) > IsFixed)
    return Exchange::None;
  return excessAdded(C, Other->Kernel.Profile) <= IsSmall ||
                 Other->Gain.Gain >= Staged.Gain
             ? Exchange::Fixes
             : Exchange::PartsOthers;
}

static void writeAdvice(FindingWriter &W, const Case &C,
                        const AccessGroup &Group, Exchange Exchanged,
                        const std::optional<ExchangedThreads> &Other) {
  const AccessProfile &A = C.Profile.Accesses[Group.Members.front()];
  const unsigned BytesPerLane =
      C.Facts.Accesses[Group.Members.front()].BytesPerLane;
  if (!isOutOfOrder(A, BytesPerLane)) {
    W << "the warp starts inside a sector; align the base or the row length "
         "to 32 B";
    return;
  }
  switch (Exchanged) {
  case Exchange::None:
    if (std::optional<StructureFields> Fields = structureFields(C, Group)) {
      W << "store each field of the structures of "
        << named("StructureBytes", Twine(Fields->Bytes))
        << " B in an array of its own (structure of arrays)";
      if (Fields->FitsVectors)
        W << ", or move whole structures by accesses of 16 B (float4)";
      return;
    }
    W << "let neighbouring lanes use neighbouring elements, or stage the data "
         "in shared memory";
    return;
  case Exchange::PartsOthers:
    W << "stage the data in shared memory: an exchange of x and y of the "
         "threads would part the lanes of other accesses";
    return;
  case Exchange::Fixes:
    break;
  }
  W << "exchange x and y of the threads";
  const Launch &L = Other->Kernel.Launched;
  if (L.Block.Value != C.Launched.Block.Value)
    W << ", in blocks of " << named("BlockAfter", formatDim(L.Block.Value));
  if (L.Grid && L.Grid->Value != C.Launched.Grid->Value)
    W << ", in a grid of " << named("GridAfter", formatDim(L.Grid->Value));
}

/// True if the grid uses all of the lines that access \p I reaches, as far as
/// that is known: lanes of other warps lie in what its own leave.
static bool fillsLines(const Case &C, uint32_t I) {
  constexpr double Most = 0.75;
  const AccessProfile &A = C.Profile.Accesses[I];
  if (C.Facts.Accesses[I].Kind != AccessKind::Load)
    return !A.WrittenLineBytes ||
           *A.WrittenLineBytes >=
               Most * geometryOf(C.Device, C.Predicted.BlocksPerSm).LineBytes;
  if (!C.Profile.FootprintReadBytes || !C.Launched.Grid)
    return false;
  double Bytes = 0;
  for (const auto &[Of, P] : zip(C.Facts.Accesses, C.Profile.Accesses))
    if (Of.Kind == AccessKind::Load && Of.Space == MemorySpace::Global)
      Bytes += P.RequestsPerWarp * P.ActiveLanes * Of.BytesPerLane;
  Bytes *= double(C.Launched.warpsPerBlock()) *
           double(C.Launched.Grid->Value.count());
  return Bytes >= Most * *C.Profile.FootprintReadBytes;
}

/// What \p Group loads out of order is stored in order, or the other way round.
static bool isTransposed(const Case &C, const AccessGroup &Group) {
  const uint32_t First = Group.Members.front();
  const MemoryAccess &Access = C.Facts.Accesses[First];
  if (!isOutOfOrder(C.Profile.Accesses[First], Access.BytesPerLane) ||
      structureFields(C, Group) || !fillsLines(C, First))
    return false;
  const bool IsLoad = Access.Kind == AccessKind::Load;
  return any_of(
      seq<uint32_t>(uint32_t(C.Facts.Accesses.size())), [&](uint32_t I) {
        const MemoryAccess &Other = C.Facts.Accesses[I];
        return isInOrder(C, I) && (Other.Kind == AccessKind::Load) != IsLoad &&
               Other.BytesPerLane == Access.BytesPerLane;
      });
}

static void writeAlone(FindingWriter &W, const Launch &Then) {
  W << "let a thread do alone what a block does together, so that neighbours "
       "go through what neighbouring blocks go through, in blocks of "
    << named("BlockAfter", formatDim(Then.Block.Value)) << " in a grid of "
    << named("GridAfter", formatDim(Then.Grid->Value));
}

/// Bytes that the lanes of a grid load in loops.
static double bytesInLoops(const KernelVariant &V) {
  double Bytes = 0;
  for (const auto &[A, P] : zip(V.Facts.Accesses, V.Profile.Accesses))
    if (A.Kind == AccessKind::Load && A.Space == MemorySpace::Global &&
        V.Facts.Blocks[V.Facts.Operations[A.Op].Block].Loop != NoIndex)
      Bytes += P.RequestsPerWarp * P.ActiveLanes * A.BytesPerLane;
  return Bytes * double(V.Launched.warpsPerBlock()) *
         double(V.Launched.Grid->Value.count());
}

/// Neighbouring threads for neighbouring blocks, whose loads lie side by side.
/// Nothing where blocks do work that a thread alone would not.
static std::optional<ThreadsForBlocks> threadsForBlocks(const Case &C) {
  constexpr unsigned Usual = 256;
  constexpr double Rounding = 1.02;
  if (!C.Launched.Grid)
    return std::nullopt;
  std::optional<KernelVariant> V = changedAndWalked(C, threadForBlock(Usual));
  if (!V)
    return std::nullopt;
  const double Before = bytesInLoops({C.Facts, C.Profile, C.Launched}),
               After = bytesInLoops(*V);
  if (Before <= 0 || After > Before * Rounding || Before > After * Rounding)
    return std::nullopt;
  Launch Then = V->Launched;
  return ThreadsForBlocks{priceVariant(C, std::move(*V)), std::move(Then)};
}

void gpuocc::findUncoalescedAccess(const Case &C, Findings &Out) {
  auto Excess = [&](uint32_t I) { return excessSectors(C, C.Profile, I); };
  std::vector<AccessGroup> Groups =
      groupAccesses(C, RuleId::UncoalescedAccess, Excess, causeOf(C));
  // Large kernels have dozens of groups that gain nothing worth showing.
  if (Groups.size() > 2 &&
      isTooSmall(C, RuleId::UncoalescedAccess, priceCoalesced(C, Groups)))
    return;
  // Walked once, and only where a finding may come of it.
  std::optional<std::optional<ExchangedThreads>> Other;
  bool ToldExchange = false;
  std::optional<std::optional<ThreadsForBlocks>> Alone;
  for (const AccessGroup &Group : Groups) {
    uint32_t First = Group.Members.front();
    const MemoryAccess &Access = C.Facts.Accesses[First];
    const AccessProfile &A = C.Profile.Accesses[First];
    double Sectors = Group.mean(C.Profile, &AccessProfile::SectorsPerRequest);
    double Ideal =
        Group.mean(C.Profile, &AccessProfile::IdealSectorsPerRequest);
    FindingWriter W(RuleId::UncoalescedAccess,
                    locationOfAccess(C.Facts, First));
    W.finding().Access = First;
    W.finding().Exact = A.Exact;
    if (!C.wants(W.finding()))
      continue;
    W << "uncoalesced " << accessKindText(Access.Kind) << ": a warp touches "
      << named("SectorsPerRequest", formatNumber(Sectors)) << " "
      << plural(formatNumber(Sectors), "sector") << " of 32 B where "
      << named("IdealSectorsPerRequest", formatNumber(Ideal))
      << (formatNumber(Ideal) == "1" ? " holds" : " hold") << " its data";
    if (std::string Pattern = patternText(A, Access.BytesPerLane);
        !Pattern.empty())
      W << " (" << named("Pattern", Pattern) << ")";
    W << ", "
      << named("RequestsPerWarp",
               formatCount(Group.requests(C.Profile), "request"))
      << " per warp";
    if (Group.Arrays > 1)
      W << " with " << Twine(Group.Places - 1) << " more that lie alike in "
        << named("Arrays", Twine(Group.Arrays)) << " arrays";
    else if (Group.Places > 1)
      W << " with " << Twine(Group.Places - 1) << " more of the same array";
    W << "; ";
    Price P = priceCoalesced(C, Group);
    const bool FollowsIndex = isUpToLoadedIndex(C, Group);
    Exchange Exchanged = Exchange::None;
    if (!FollowsIndex && P.Gain >= C.Options.MinimumGain) {
      if (!Other)
        Other = exchangedThreads(C);
      Exchanged = exchangeFor(C, *Other, Group, P);
    }
    if (!FollowsIndex && Exchanged == Exchange::None &&
        P.Gain >= C.Options.MinimumGain && !Alone)
      Alone = threadsForBlocks(C);
    const bool IsAlone = !FollowsIndex && Exchanged == Exchange::None &&
                         Alone && *Alone &&
                         (*Alone)->Gain.Gain > BetterAlone * P.Gain;
    if (IsAlone) {
      writeAlone(W, (*Alone)->Launched);
      P = (*Alone)->Gain;
    } else {
      writeAdvice(W, C, Group, Exchanged, Other ? *Other : std::nullopt);
    }
    if (Exchanged == Exchange::Fixes) {
      // One edit, told once.
      if (ToldExchange)
        continue;
      ToldExchange = true;
      P = (*Other)->Gain;
    }
    if (Exchanged == Exchange::PartsOthers ||
        (Exchanged == Exchange::None && !FollowsIndex && !IsAlone &&
         isTransposed(C, Group)))
      if (std::optional<PricedTile> Tile = priceTile(C, Group);
          Tile && Tile->Gain.Gain > P.Gain) {
        W << "; of a tile of 32 x 32 elements each thread moves "
          << named("ElementsOfThread", Twine(Tile->ElementsOfThread));
        P = std::move(Tile->Gain);
      }
    if (FollowsIndex) {
      if (P.Gain < C.Options.MinimumGain)
        continue;
      P.Undecided = "it follows from the loaded index, which nobody gave";
      W << " (what that gains follows from the loaded index)";
    }
    addPrice(W, P);
    Out.push_back(std::move(W.finding()));
  }
}
