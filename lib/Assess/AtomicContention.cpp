//===- AtomicContention.cpp - Atomics on one address ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Geometry.h"
#include "Price.h"
#include "PricingBudget.h"
#include "SortedAtomics.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/WhatIf/AtomicChanges.h"
#include "gpuocc/WhatIf/NativeAtomic.h"
#include "gpuocc/WhatIf/TakeTurns.h"
#include "llvm/ADT/STLExtras.h"
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

/// Words that the whole grid updates with access \p I. Where loaded indices
/// choose them, those that some warps were seen to update are not all.
static double wordsOfGrid(const Case &C, uint32_t I) {
  const AccessProfile &A = C.Profile.Accesses[I];
  const MemoryAccess &Access = C.Facts.Accesses[I];
  if (A.DrawnAddresses)
    return *A.DrawnAddresses;
  const double Seen = *A.GridSpanBytes / Access.BytesPerLane;
  const std::optional<uint64_t> Array = arrayOfAccess(C.Facts, Access);
  if (!Array || !isLoadedIndex(C.Facts, Access.Base))
    return Seen;
  const auto Said = C.Launched.ArrayBytes.find(unsigned(*Array));
  return Said == C.Launched.ArrayBytes.end()
             ? Seen
             : std::max(Seen, double(Said->second.Value / Access.BytesPerLane));
}

/// Blocks whose work one block can do in turns, where as many are launched as
/// the SMs hold at a time, with \p MoreShared bytes of shared memory more.
static double blocksInTurn(const Case &C, double MoreShared = 0) {
  const Known<double> SmCount = C.Device.get(Quantity::SmCount);
  if (!C.Launched.Grid || !SmCount || C.Launched.Cluster.count() != 1)
    return 1;
  BlockResources Block = C.Block;
  Block.DynamicSharedBytes += uint64_t(MoreShared);
  const double Places = *SmCount * occupancy(C.Limits, Block).BlocksPerSm;
  return Places > 0
             ? std::max(1.0, double(C.Launched.Grid->Value.count()) / Places)
             : 1;
}

/// True if every block has room for \p Bytes more of shared memory.
static bool hasRoom(const Case &C, double Bytes) {
  return double(C.Block.sharedBytes()) + Bytes <=
         double(C.Limits.SharedBytesPerBlock.value_or(0));
}

/// Global words that each block updates more than once if it does the work of
/// \p InTurn blocks, and that every block has room for in shared memory.
static bool canBeCountedInBlocks(const Case &C, uint32_t I, double InTurn) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  const AccessProfile &A = C.Profile.Accesses[I];
  if (Access.Space == MemorySpace::Shared || !A.GridSpanBytes ||
      Access.Combining == LaneCombining::OneLane)
    return false;
  const double Words = wordsOfGrid(C, I);
  const double Bytes = Words * Access.BytesPerLane;
  return Words <
             A.RequestsPerWarp * A.ActiveLanes * warpsPerBlock(C) * InTurn &&
         hasRoom(C, Bytes);
}

/// How many blocks count in the same words, if blocks count: 1 where each does
/// its own work only. Nothing where no block updates a word twice.
static std::optional<double> countedInTurn(const Case &C, uint32_t I) {
  const double Bytes =
      C.Profile.Accesses[I].GridSpanBytes
          ? wordsOfGrid(C, I) * C.Facts.Accesses[I].BytesPerLane
          : 0;
  for (double InTurn : {1.0, blocksInTurn(C, Bytes)})
    if (canBeCountedInBlocks(C, I, InTurn))
      return InTurn;
  return std::nullopt;
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
  if (std::optional<double> InTurn = countedInTurn(C, I))
    return A.RequestsPerWarp * A.ActiveLanes -
           wordsOfGrid(C, I) / warpsPerBlock(C) / *InTurn;
  if (A.LanesPerAddress <= 1)
    return 0;
  return A.RequestsPerWarp * (A.LanesPerAddress - 1);
}

/// Warps of a block where the lanes of a warp are combined already, lanes of a
/// warp elsewhere.
static Price priceCombined(const Case &C, ArrayRef<AccessGroup> Groups) {
  std::vector<CombinedAtomic> Atomics;
  for (const AccessGroup &Group : Groups)
    for (uint32_t I : Group.Members)
      Atomics.push_back(meetsOtherWarps(C, I)
                            ? CombinedAtomic{I, 1, warpsPerBlock(C)}
                            : CombinedAtomic{I, lanesOnAddress(C, I), 1});
  return price(C, combineAtomics(std::move(Atomics)));
}

namespace {

/// Atomics of one loop that blocks can count together, each place for itself.
struct CountedTogether {
  std::vector<AccessGroup> Groups;
  double InTurn = 1;
};

} // namespace

static double wordsOfGroup(const Case &C, const AccessGroup &Group) {
  double Words = 0;
  for (uint32_t I : Group.Members)
    Words = std::max(Words, wordsOfGrid(C, I));
  return Words;
}

static double bytesOfGroup(const Case &C, const AccessGroup &Group) {
  return wordsOfGroup(C, Group) *
         C.Facts.Accesses[Group.Members.front()].BytesPerLane;
}

/// True if \p Group is in the code of \p Others, in the same loop or in none,
/// and blocks have room for all: one edit counts them all.
static bool goesWith(const Case &C, const AccessGroup &Group,
                     const CountedTogether &Others) {
  auto LoopOf = [&](const AccessGroup &G) {
    const uint32_t Op = C.Facts.Accesses[G.Members.front()].Op;
    return C.Facts.Blocks[C.Facts.Operations[Op].Block].Loop;
  };
  double Bytes = bytesOfGroup(C, Group);
  for (const AccessGroup &Other : Others.Groups)
    Bytes += bytesOfGroup(C, Other);
  return LoopOf(Group) == LoopOf(Others.Groups.front()) && hasRoom(C, Bytes);
}

/// \p What, and blocks that each do the work of \p InTurn.
static Price priceInTurns(const Case &C, const Change &What, double InTurn) {
  std::optional<KernelVariant> V = changed(C, What);
  if (V && InTurn > 1) {
    Expected<KernelVariant> Fewer = takeTurns(InTurn).Apply(std::move(*V));
    if (!Fewer) {
      consumeError(Fewer.takeError());
      return Price();
    }
    V = std::move(*Fewer);
  }
  return V ? priceVariant(C, std::move(*V)) : Price();
}

/// Words of their own for each block in shared memory.
static Price priceCountedInBlocks(const Case &C, const CountedTogether &All) {
  std::vector<CountedWords> Counted;
  for (const AccessGroup &Group : All.Groups)
    Counted.push_back({Group.Members, wordsOfGroup(C, Group), All.InTurn});
  Price P =
      priceInTurns(C,
                   countInBlocks(std::move(Counted),
                                 geometryOf(C.Device, C.Predicted.BlocksPerSm)),
                   All.InTurn);
  // The update of the block has no address.
  P.EndsPlan = true;
  return P;
}

/// What threads can combine in registers of the values that reduction \p I
/// updates one word with: those of a loop, or, where code alone says which word
/// a thread updates, those of several blocks.
static std::optional<SummedAtomic> summedAtomic(const Case &C, uint32_t I) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  const AccessProfile &A = C.Profile.Accesses[I];
  if (Access.Kind != AccessKind::Reduction || C.Facts.isInIssueOrder() ||
      Access.Space == MemorySpace::Shared)
    return std::nullopt;
  SummedAtomic How{I};
  How.Loop = loopOfOneWord(C.Facts, I);
  if (How.Loop != NoIndex)
    return How;
  constexpr double Worthwhile = 2;
  How.BlocksInTurn = blocksInTurn(C);
  if (How.BlocksInTurn < Worthwhile || A.DrawnAddresses || !A.GridSpanBytes ||
      C.Facts.Blocks[C.Facts.Operations[Access.Op].Block].Loop != NoIndex)
    return std::nullopt;
  const double Words = wordsOfGrid(C, I);
  const double Threads = double(C.Launched.Grid->Value.count()) /
                         How.BlocksInTurn *
                         double(C.Launched.threadsPerBlock());
  // Data may decide which threads update one word, not which word it is.
  How.IsOneWord = Words <= 1;
  if (!How.IsOneWord && A.Exact > Exactness::Assumed)
    return std::nullopt;
  // Each thread that runs has one word then, and neighbours have neighbouring
  // ones.
  const bool IsOwnWord =
      A.LanesPerAddress <= 1 && A.SectorsPerRequest <= A.IdealSectorsPerRequest;
  if (!How.IsOneWord && (!IsOwnWord || Words > Threads))
    return std::nullopt;
  return How;
}

static Price priceSummed(const Case &C, const AccessGroup &Group,
                         const SummedAtomic &First) {
  std::vector<SummedAtomic> Atomics;
  for (uint32_t I : Group.Members)
    if (std::optional<SummedAtomic> How = summedAtomic(C, I);
        How && How->BlocksInTurn == First.BlocksInTurn)
      Atomics.push_back(*How);
  Price P =
      priceInTurns(C, sumInThreads(std::move(Atomics)), First.BlocksInTurn);
  P.EndsPlan = true;
  return P;
}

/// True where all threads of a block update one word by reduction \p I, once:
/// its address follows from parameters and the index of the block alone.
static bool hasWordOfBlock(const Case &C, uint32_t I) {
  const MemoryAccess &Access = C.Facts.Accesses[I];
  const AccessProfile &A = C.Profile.Accesses[I];
  auto Differs = [](const Operation &Op) {
    return Op.SReg != SpecialReg::None
               ? !isSameInBlock(Op.SReg)
               : Op.Access != NoIndex || Op.What == Semantics::Phi ||
                     Op.What == Semantics::Opaque;
  };
  if (Access.Kind != AccessKind::Reduction || C.Facts.isInIssueOrder() ||
      Access.Space == MemorySpace::Shared || A.LanesPerAddress <= 1 ||
      C.Facts.Blocks[C.Facts.Operations[Access.Op].Block].Loop != NoIndex)
    return false;
  bool DiffersInBlock = false;
  walkBehind(C.Facts, Access.Base, [&](const Operation &Op) {
    DiffersInBlock |= Differs(Op);
    return ArrayRef<Operand>(Op.Operands);
  });
  return !DiffersInBlock;
}

namespace {

/// One way to have fewer atomics.
struct Cure {
  Price Priced;
  std::function<void(FindingWriter &)> Describe;
};

} // namespace

static void describeBlockSums(const Case &C, ArrayRef<AccessGroup> Groups,
                              FindingWriter &W) {
  const MemoryAccess &Access = C.Facts.Accesses[Groups.front().Members.front()];
  W << "all threads of a block meet on one word in this "
    << memorySpaceText(Access.Space) << " " << accessKindText(Access.Kind);
  if (Groups.size() > 1)
    W << " (and on one each of " << named("More", Twine(Groups.size() - 1))
      << " more beside it)";
  W << " and are served one after the other; combine the lanes of each warp by "
       "shuffles and the warps of the block in shared memory, and let one "
       "thread of the block update";
}

/// The threads of a block add up before one of them updates, for each of \p
/// Groups, where that is what they do.
static void addBlockSums(const Case &C, ArrayRef<AccessGroup> Groups,
                         std::vector<Cure> &Cures) {
  std::vector<SummedAtomic> Atomics;
  for (const AccessGroup &Group : Groups)
    for (uint32_t I : Group.Members) {
      if (!hasWordOfBlock(C, I))
        return;
      Atomics.push_back({I, NoIndex, 1, /*IsOneWord=*/true});
    }
  Price P = price(C, sumInThreads(std::move(Atomics)));
  P.EndsPlan = true;
  Cures.push_back({std::move(P), [&C, Groups](FindingWriter &W) {
                     describeBlockSums(C, Groups, W);
                   }});
}

static void describeSummed(const Case &C, const SummedAtomic &How,
                           FindingWriter &W) {
  const MemoryAccess &Access = C.Facts.Accesses[How.Access];
  const std::string What =
      (memorySpaceText(Access.Space) + " " + accessKindText(Access.Kind)).str();
  if (How.Loop != NoIndex) {
    W << "each iteration of a loop updates the same word by this " << What
      << ", and all of them take their turns at L2; let each thread combine "
         "its values in a register and update once behind the loop";
    return;
  }
  const double Blocks =
      double(C.Launched.Grid->Value.count()) / How.BlocksInTurn;
  W << "all blocks of the grid meet on "
    << named("Words", formatCount(wordsOfGrid(C, How.Access), "word"))
    << " in this " << What << "; launch "
    << named("GridAfter", Twine(uint64_t(std::round(Blocks))))
    << " blocks, as many as run at a time, let each thread combine in a "
       "register, in turns, "
    << (How.IsOneWord ? "what it has, combine the threads of the block by "
                        "shuffles, and let one of them update"
                      : "what is for one word, and update once");
}

static void describeCombined(const Case &C, ArrayRef<AccessGroup> Groups,
                             FindingWriter &W) {
  const AccessGroup &Group = Groups.front();
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
    << memorySpaceText(Access.Space) << " " << accessKindText(Access.Kind);
  if (Groups.size() > 1)
    W << " (and in " << named("More", Twine(Groups.size() - 1))
      << " more of the array beside it)";
  W << " and are served one after the other; ";
  if (A.DrawnAddresses)
    W << "keep several copies of the "
      << named("Words", formatCount(*A.DrawnAddresses, "word"))
      << " and let neighbouring lanes update different ones";
  else
    W << "combine them in the warp first (shuffles or __reduce_sync) and let "
         "one lane update";
}

static void describeCountedInBlocks(const Case &C, const CountedTogether &All,
                                    FindingWriter &W) {
  const uint32_t First = All.Groups.front().Members.front();
  const double InTurn = All.InTurn;
  const MemoryAccess &Access = C.Facts.Accesses[First];
  const AccessProfile &A = C.Profile.Accesses[First];
  W << "all blocks of the grid meet on "
    << named("Words", formatCount(wordsOfGrid(C, First), "word")) << " in this "
    << memorySpaceText(Access.Space) << " " << accessKindText(Access.Kind);
  if (All.Groups.size() > 1)
    W << " (and on those of " << named("More", Twine(All.Groups.size() - 1))
      << " more beside it)";
  if (A.DrawnAddresses)
    W << ", if loaded indices choose all of them alike,";
  W << " and L2 serves " << named("Turns", formatNumber(A.SerializedPasses))
    << " " << plural(formatNumber(A.SerializedPasses), "turn")
    << " of a warp one after the other; ";
  if (InTurn > 1) {
    const double Blocks = double(C.Launched.Grid->Value.count()) / InTurn;
    W << "launch " << named("GridAfter", Twine(uint64_t(std::round(Blocks))))
      << " blocks, as many as run at a time, let each do the work of "
         "several in turns, count in shared memory, and update once";
    return;
  }
  W << "count in shared memory and let each block update once";
}

/// Doubles are added by hardware from compute capability 6.0 on.
static bool isNative(const Case &C, const CasLoop &L) {
  constexpr unsigned FirstWithDoubles = 60;
  const bool IsDouble =
      L.OnFloats && C.Facts.Accesses[L.Access].BytesPerLane == 8;
  return !IsDouble ||
         architectureNumber(C.Facts.Architecture) >= FirstWithDoubles;
}

static void findCasLoops(const Case &C, Findings &Out) {
  std::vector<CasLoop> Loops = nativeCasLoops(C.Facts);
  erase_if(Loops, [&](const CasLoop &L) { return !isNative(C, L); });
  C.Budget.keepPriced(RuleId::AtomicContention, Loops);
  for (const CasLoop &L : Loops) {
    FindingWriter W(RuleId::AtomicContention,
                    locationOfAccess(C.Facts, L.Access));
    W.finding().Access = L.Access;
    W.finding().Exact = C.Profile.Accesses[L.Access].Exact;
    if (!C.wants(W.finding()))
      continue;
    const unsigned Bits = 8 * C.Facts.Accesses[L.Access].BytesPerLane;
    W << "a loop of compare and swap updates " << named("Bits", Twine(Bits))
      << "-bit " << (L.OnFloats ? "floating-point numbers" : "integers")
      << ", and lanes and warps that meet on a word try again; use the atomic "
         "of the hardware ("
      << named("Instead", "atomic" +
                              StringRef(L.AtomicOp).take_front().upper() +
                              StringRef(L.AtomicOp).drop_front().str())
      << "), which needs no loop";
    addPrice(W, C, useNativeAtomics({L}));
    Out.push_back(std::move(W.finding()));
  }
}

/// Stores of one value to one word by warps of all blocks, several of a block.
static bool isStoredByAll(const Case &C, uint32_t I) {
  const MemoryAccess &A = C.Facts.Accesses[I];
  const AccessProfile &P = C.Profile.Accesses[I];
  return A.Kind == AccessKind::Store && isInArrays(A.Space) && !A.Volatile &&
         !A.Bulk && P.GridSectors && *P.GridSectors <= 1 &&
         P.RequestsPerWarp * warpsPerBlock(C) > 1 &&
         C.Facts.Blocks[C.Facts.Operations[A.Op].Block].Loop == NoIndex &&
         !A.Stored.empty() && all_of(A.Stored, [&](const Operand &O) {
           return behindCopies(C.Facts, O).isImmediate();
         });
}

static void findStoresByAll(const Case &C, Findings &Out) {
  for (uint32_t I = 0; I != C.Facts.Accesses.size(); ++I) {
    if (!isStoredByAll(C, I))
      continue;
    FindingWriter W(RuleId::AtomicContention, locationOfAccess(C.Facts, I));
    W.finding().Access = I;
    W.finding().Exact = C.Profile.Accesses[I].Exact;
    if (!C.wants(W.finding()))
      continue;
    const double Warps =
        C.Profile.Accesses[I].RequestsPerWarp * warpsPerBlock(C);
    W << named("Warps", formatCount(Warps, "warp"))
      << " of each block store one value to one word, and L2 takes one store "
         "after the other; let the threads of a block agree before "
         "(__syncthreads_or, which all of them have to reach) and one of them "
         "store";
    addPrice(W, C, combineAtomics({{I, 1, Warps}}));
    Out.push_back(std::move(W.finding()));
  }
}

/// Begins the finding that stands at access \p First.
static FindingWriter findingAt(const Case &C, uint32_t First) {
  FindingWriter W(RuleId::AtomicContention, locationOfAccess(C.Facts, First));
  W.finding().Access = First;
  W.finding().Exact = C.Profile.Accesses[First].Exact;
  return W;
}

/// Writes the one of \p Cures that brings most, the first of those that are
/// about as good.
static void writeBest(const Case &C, uint32_t First, ArrayRef<Cure> Cures,
                      Findings &Out) {
  constexpr double Better = 1.1;
  const Cure *Best = &Cures.front();
  for (const Cure &Other : Cures.drop_front())
    if (Other.Priced.Gain > Best->Priced.Gain * Better)
      Best = &Other;
  FindingWriter W = findingAt(C, First);
  Best->Describe(W);
  addPrice(W, Best->Priced);
  Out.push_back(std::move(W.finding()));
}

static void addSummed(const Case &C, const AccessGroup &Group,
                      std::vector<Cure> &Cures) {
  const std::optional<SummedAtomic> How =
      summedAtomic(C, Group.Members.front());
  if (How)
    Cures.push_back({priceSummed(C, Group, *How), [&C, How](FindingWriter &W) {
                       describeSummed(C, *How, W);
                     }});
}

static Cure combined(const Case &C, ArrayRef<AccessGroup> Groups) {
  return {priceCombined(C, Groups),
          [&C, Groups](FindingWriter &W) { describeCombined(C, Groups, W); }};
}

static void writeCountedInBlocks(const Case &C, CountedTogether All,
                                 Findings &Out) {
  double Bytes = 0;
  for (const AccessGroup &Counted : All.Groups)
    Bytes += bytesOfGroup(C, Counted);
  const double MostInTurn = blocksInTurn(C, Bytes);
  if (All.InTurn > 1)
    All.InTurn = MostInTurn;
  const AccessGroup &Group = All.Groups.front();
  const uint32_t First = Group.Members.front();
  std::vector<Cure> Cures = {
      {priceCountedInBlocks(C, All),
       [&](FindingWriter &W) { describeCountedInBlocks(C, All, W); }}};
  // Fewer blocks have fewer words to add to those of the grid.
  constexpr double WorthwhileTurns = 2;
  CountedTogether InTurns = All;
  InTurns.InTurn = MostInTurn;
  if (InTurns.InTurn >= WorthwhileTurns * All.InTurn)
    Cures.push_back({priceCountedInBlocks(C, InTurns), [&](FindingWriter &W) {
                       describeCountedInBlocks(C, InTurns, W);
                     }});
  addBlockSums(C, All.Groups, Cures);
  if (All.Groups.size() == 1) {
    addSummed(C, Group, Cures);
    if (C.Profile.Accesses[First].LanesPerAddress > 1)
      Cures.push_back(combined(C, Group));
  }
  writeBest(C, First, Cures, Out);
}

static void writeCombined(const Case &C, ArrayRef<AccessGroup> Groups,
                          Findings &Out) {
  std::vector<Cure> Cures = {combined(C, Groups)};
  addBlockSums(C, Groups, Cures);
  if (Groups.size() == 1)
    addSummed(C, Groups.front(), Cures);
  writeBest(C, Groups.front().Members.front(), Cures, Out);
}

/// True if \p Group updates the array of \p Other in the same code, lanes of a
/// warp each: one edit mends both.
static bool updatesArrayOf(const Case &C, const AccessGroup &Group,
                           const AccessGroup &Other) {
  const uint32_t A = Group.Members.front(), B = Other.Members.front();
  auto BlockOf = [&](uint32_t I) {
    return C.Facts.Operations[C.Facts.Accesses[I].Op].Block;
  };
  const std::optional<uint64_t> Array =
      arrayOfAccess(C.Facts, C.Facts.Accesses[A]);
  return BlockOf(A) == BlockOf(B) && !meetsOtherWarps(C, A) &&
         !meetsOtherWarps(C, B) && Array &&
         Array == arrayOfAccess(C.Facts, C.Facts.Accesses[B]);
}

void gpuocc::findAtomicContention(const Case &C, Findings &Out) {
  findCasLoops(C, Out);
  findStoresByAll(C, Out);
  // Lanes beyond one for each word of a warp.
  auto IfSorted = [&](uint32_t I) {
    const double Updates = updatesIfSorted(C, I);
    const AccessProfile &A = C.Profile.Accesses[I];
    return Updates > 0 ? A.RequestsPerWarp * A.ActiveLanes * (1 - 1 / Updates)
                       : 0;
  };
  auto Excess = [&](uint32_t I) {
    return std::max(waitingLanes(C, I), IfSorted(I));
  };
  std::vector<CountedTogether> Counted;
  std::vector<std::vector<AccessGroup>> Combined;
  for (const AccessGroup &Group :
       groupAccesses(C, RuleId::AtomicContention, Excess)) {
    const uint32_t First = Group.Members.front();
    std::optional<double> InTurn;
    if (!meetsOtherWarps(C, First))
      InTurn = countedInTurn(C, First);
    if (!InTurn && IfSorted(First) > 0) {
      writeSorted(C, Group, Out);
      continue;
    }
    if (!InTurn) {
      auto Others = find_if(Combined, [&](ArrayRef<AccessGroup> All) {
        return updatesArrayOf(C, Group, All.front());
      });
      if (Others != Combined.end())
        Others->push_back(Group);
      else
        Combined.push_back({Group});
      continue;
    }
    auto Others = find_if(Counted, [&](const CountedTogether &All) {
      return goesWith(C, Group, All);
    });
    if (Others != Counted.end()) {
      Others->Groups.push_back(Group);
      Others->InTurn = std::max(Others->InTurn, *InTurn);
    } else
      Counted.push_back({{Group}, *InTurn});
  }
  for (ArrayRef<AccessGroup> All : Combined)
    writeCombined(C, All, Out);
  for (const CountedTogether &All : Counted)
    writeCountedInBlocks(C, All, Out);
}
