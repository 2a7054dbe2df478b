//===- Folding.cpp - Lane addresses to sectors and wavefronts -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Folding.h"
#include "gpuocc/Kernel/ClusterAddresses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallSet.h"
#include <algorithm>
#include <cmath>
#include <optional>

using namespace gpuocc;
using namespace llvm;

using Ids = SmallVectorImpl<uint64_t>;

/// Sorts \p List and drops repetitions.
static void makeSet(Ids &List) {
  if (!std::is_sorted(List.begin(), List.end()))
    std::sort(List.begin(), List.end());
  List.erase(std::unique(List.begin(), List.end()), List.end());
}

static void collectPiecesOfLanes(const RequestAddresses &R, LaneMask Lanes,
                                 unsigned PieceBytes, Ids &Pieces) {
  forEachPiece(R, Lanes, PieceBytes, [&](uint64_t Piece) {
    if (Pieces.empty() || Pieces.back() != Piece)
      Pieces.push_back(Piece);
  });
  makeSet(Pieces);
}

void gpuocc::collectPieces(const RequestAddresses &R, unsigned PieceBytes,
                           Ids &Pieces) {
  collectPiecesOfLanes(R, AllLanes, PieceBytes, Pieces);
}

unsigned gpuocc::countPieces(const RequestAddresses &R, unsigned PieceBytes) {
  SmallVector<uint64_t, 64> Pieces;
  collectPieces(R, PieceBytes, Pieces);
  return unsigned(Pieces.size());
}

/// Most distinct words that one bank serves for \p Lanes.
static unsigned bankPasses(const RequestAddresses &R, LaneMask Lanes,
                           unsigned Banks, unsigned BankBytes) {
  SmallVector<uint64_t, 128> Words;
  collectPiecesOfLanes(R, Lanes, BankBytes, Words);
  SmallVector<unsigned, 32> Load(std::bit_floor(std::max(1u, Banks)), 0);
  unsigned Most = 0;
  for (uint64_t W : Words)
    Most = std::max(Most, ++Load[W & (Load.size() - 1)]);
  return Most;
}

/// Do the active lanes of every pair (L, L ^ Distance) agree?
static bool pairsAgree(const RequestAddresses &R, LaneMask Lanes,
                       unsigned Distance) {
  for (LaneMask M = Lanes & R.Active; M; M &= M - 1) {
    unsigned L = unsigned(std::countr_zero(M));
    if ((R.Active >> (L ^ Distance)) & 1 &&
        R.Address[L] != R.Address[L ^ Distance])
      return false;
  }
  return true;
}

/// Sum of the passes of the parts of a warp; with \p Joins neighbours are
/// joined where shared memory joins them.
static unsigned passesByParts(const RequestAddresses &R, unsigned Banks,
                              unsigned BankBytes, bool Joins) {
  if (R.BytesPerLane <= 4)
    return bankPasses(R, AllLanes, Banks, BankBytes);
  unsigned LanesPerPart = R.BytesPerLane <= 8 ? 16 : 8;
  LaneMask Part = LaneMask(lowBits(LanesPerPart));
  LaneMask Pair = LaneMask(lowBits(2 * LanesPerPart));
  unsigned Total = 0;
  for (unsigned First = 0; First < WarpLanes; First += 2 * LanesPerPart) {
    LaneMask Both = Pair << First;
    unsigned Apart =
        bankPasses(R, Part << First, Banks, BankBytes) +
        bankPasses(R, Part << (First + LanesPerPart), Banks, BankBytes);
    if (Joins && (pairsAgree(R, Both, 1) || pairsAgree(R, Both, 2)))
      Apart = std::min(Apart, bankPasses(R, Both, Banks, BankBytes));
    Total += Apart;
  }
  return Total;
}

unsigned gpuocc::sharedWavefronts(const RequestAddresses &R,
                                  const MemoryGeometry &G) {
  return passesByParts(R, G.SharedBanks, G.SharedBankBytes, /*Joins=*/true);
}

/// Cycles that the tag stage of L1 takes for a request of \p Lines: the most of
/// them in one bank of tags.
///
/// Source: 32 lanes 1 to 300 lines apart and strides of 4 to 128 bytes on an
/// H200, 0.2 cycles off in the mean (tag-banks.csv and l1_strides of
/// calibration/results/nvidia-h200).
static double tagCycles(const Ids &Lines, const MemoryGeometry &G) {
  if (!G.TagBankMasks[0] || !G.TagBankMasks[1])
    return std::ceil(double(Lines.size()) / G.TagLinesPerCycle);
  std::array<unsigned, 1 << std::tuple_size_v<decltype(G.TagBankMasks)>>
      InBank = {};
  for (uint64_t Line : Lines) {
    auto Bit = [&](uint64_t Mask) {
      return unsigned(std::popcount(Line & Mask)) & 1;
    };
    ++InBank[Bit(G.TagBankMasks[0]) | Bit(G.TagBankMasks[1]) << 1];
  }
  return *llvm::max_element(InBank);
}

/// Cycles of L1 for a request of \p Lines: the longer of the passes through
/// its data banks (8 bytes a lane by halves, 16 by quarters, though all lanes
/// ask for the same: l1_strides) and of the tag lookups.
static double globalWavefronts(const RequestAddresses &R, const Ids &Lines,
                               const MemoryGeometry &G) {
  double Passes =
      passesByParts(R, G.SharedBanks, G.SharedBankBytes, /*Joins=*/false);
  return std::max(Passes, tagCycles(Lines, G));
}

SmallVector<RequestAddresses, 4>
gpuocc::localRequests(const RequestAddresses &R) {
  SmallVector<RequestAddresses, 4> Words;
  for (unsigned Byte = 0; Byte < R.BytesPerLane; Byte += 4) {
    RequestAddresses W;
    W.Active = R.Active;
    W.BytesPerLane = std::min(4u, R.BytesPerLane);
    for (unsigned L = 0; L < WarpLanes; ++L) {
      uint64_t Address = R.Address[L] + Byte;
      W.Address[L] = Address / 4 * (4 * WarpLanes) + L * 4 + Address % 4;
    }
    Words.push_back(W);
  }
  return Words;
}

/// Fills \p Lines with those of \p Sectors, which ascend, each \p Whole
/// further.
static void collectLines(const Ids &Sectors, uint64_t Whole,
                         const MemoryGeometry &G, Ids &Lines) {
  const unsigned Shift =
      unsigned(std::countr_zero(std::max(1u, G.LineBytes / G.SectorBytes)));
  Lines.clear();
  for (uint64_t Sector : Sectors)
    if (const uint64_t Line = (Sector + Whole) >> Shift;
        Lines.empty() || Line != Lines.back())
      Lines.push_back(Line);
}

/// Sets the fields that a request in L1 has.
static void foldCached(const RequestAddresses &R, const MemoryGeometry &G,
                       RequestCost &Cost, Ids &Sectors) {
  collectPieces(R, G.SectorBytes, Sectors);
  Cost.Sectors = double(Sectors.size());
  SmallVector<uint64_t, 32> Lines;
  collectLines(Sectors, 0, G, Lines);
  Cost.Lines = double(Lines.size());
  Cost.Wavefronts = globalWavefronts(R, Lines, G);
}

/// Turns of the lanes at \p Addresses, which are in ascending order: most lanes
/// of a shared memory bank, where those that will try again (\p IsRetried) take
/// two on each word, however many there are; most lanes on one word of each
/// sector.
static double atomicTurns(ArrayRef<uint64_t> Addresses, MemorySpace Space,
                          bool IsRetried, const MemoryGeometry &G) {
  if (Space == MemorySpace::Shared) {
    SmallVector<unsigned, 32> Load(std::bit_floor(std::max(1u, G.SharedBanks)));
    unsigned Most = 0, OnWord = 0;
    for (size_t I = 0; I < Addresses.size(); ++I) {
      OnWord = I > 0 && Addresses[I] == Addresses[I - 1] ? OnWord + 1 : 1;
      unsigned &OfBank =
          Load[Addresses[I] / G.SharedBankBytes & (Load.size() - 1)];
      OfBank += !IsRetried ? 1 : OnWord == 1 ? 2 : 0;
      Most = std::max(Most, OfBank);
    }
    return Most;
  }
  double Turns = 0;
  unsigned Run = 0, Most = 0;
  for (size_t I = 0; I < Addresses.size(); ++I) {
    Run = I > 0 && Addresses[I] == Addresses[I - 1] ? Run + 1 : 1;
    Most = std::max(Most, Run);
    const bool EndsSector =
        I + 1 == Addresses.size() ||
        Addresses[I] / G.SectorBytes != Addresses[I + 1] / G.SectorBytes;
    if (!EndsSector)
      continue;
    Turns += Most;
    Most = 0;
  }
  return Turns;
}

static void setIdeals(const RequestAddresses &R, const MemoryGeometry &G,
                      RequestCost &Cost) {
  // As Nsight Compute counts: what the active lanes need when packed, but not
  // more than they take (a broadcast takes one sector and needs one).
  const double ActiveBytes = double(numLanes(R.Active)) * R.BytesPerLane;
  const double PassBytes = G.sharedPassBytes();
  Cost.IdealSectors =
      std::min(Cost.Sectors, std::ceil(ActiveBytes / G.SectorBytes));
  Cost.IdealWavefronts =
      std::min(Cost.Wavefronts, std::ceil(ActiveBytes / PassBytes));
}

/// The lanes whose words other blocks of the cluster have.
static LaneMask lanesOfOtherBlocks(const RequestAddresses &R) {
  LaneMask Others = 0;
  for (LaneMask Left = R.Active; Left; Left &= Left - 1) {
    const unsigned Lane = unsigned(std::countr_zero(Left));
    if (R.Address[Lane] & ClusterRankMask)
      Others |= LaneMask(1) << Lane;
  }
  return Others;
}

/// Finds the packets between the SMs of a cluster for the lanes \p Others: one
/// a sector, which are told apart by their block; of stores one for each 16
/// bytes where parts of the sector are left out; of atomics one for each turn
/// of the lanes on a word. Of loads, each line of each block counts beside
/// them.
///
/// Source: an H100, clusters of 2, 4 and 8 (distributed_shared_words). Loads of
/// lanes 0 to 36 bytes apart, at one block or in turns at 3 and 7, take 1.4 to
/// 2.1 cycles a sector and 1.7 a line, within 8 %; atomics 3.5 and stores 1.7
/// for each of these pieces, wherever they are; atomics of 32 lanes on one word
/// 31 times as long as those of one.
static void addOtherBlocks(const RequestAddresses &R, LaneMask Others,
                           const MemoryGeometry &G, RequestCost &Cost) {
  constexpr unsigned PieceBytes = 16;
  RequestAddresses Away = R;
  Away.Active = Others;
  SmallVector<uint64_t, 64> Sectors;
  collectPieces(Away, G.SectorBytes, Sectors);
  Cost.OtherBlocksSectors = double(Sectors.size());
  if (R.IsAtomic) {
    SmallVector<uint64_t, 32> Addresses;
    for (LaneMask Left = Others; Left; Left &= Left - 1)
      Addresses.push_back(R.Address[unsigned(std::countr_zero(Left))]);
    llvm::sort(Addresses);
    Cost.OtherBlocksSectors =
        atomicTurns(Addresses, MemorySpace::Global, R.IsRetried, G);
    return;
  }
  if (!R.IsStore) {
    Cost.OtherBlocksLines = countPieces(Away, G.LineBytes);
    return;
  }
  double Packets = 0;
  for (uint64_t Sector : Sectors) {
    SmallSet<uint64_t, 8> Bytes, Pieces;
    double Stored = 0;
    for (LaneMask Left = Others; Left; Left &= Left - 1) {
      const uint64_t At = R.Address[unsigned(std::countr_zero(Left))];
      if (At / G.SectorBytes != Sector)
        continue;
      Pieces.insert(At / PieceBytes);
      if (Bytes.insert(At).second)
        Stored += R.BytesPerLane;
    }
    Packets += Stored >= G.SectorBytes ? 1 : double(Pieces.size());
  }
  // Lanes of more than a sector are in none but their first.
  Cost.OtherBlocksSectors = std::max(Packets, Cost.OtherBlocksSectors);
}

RequestCost gpuocc::foldRequest(const RequestAddresses &R, MemorySpace Space,
                                const MemoryGeometry &G, Ids *SectorIds) {
  RequestCost Cost;
  if (!R.Active)
    return Cost;
  SmallVector<uint64_t, 32> Addresses;
  for (LaneMask M = R.Active; M; M &= M - 1)
    Addresses.push_back(R.Address[unsigned(std::countr_zero(M))]);
  if (!std::is_sorted(Addresses.begin(), Addresses.end()))
    std::sort(Addresses.begin(), Addresses.end());
  unsigned Run = 0;
  for (size_t I = 0; I < Addresses.size(); ++I) {
    bool Same = I > 0 && Addresses[I] == Addresses[I - 1];
    Run = Same ? Run + 1 : 1;
    Cost.DistinctAddresses += Same ? 0 : 1;
    Cost.LanesPerAddress = std::max(Cost.LanesPerAddress, double(Run));
  }
  if (R.IsAtomic)
    Cost.Turns = atomicTurns(Addresses, Space, R.IsRetried, G);
  const double ActiveBytes = double(numLanes(R.Active)) * R.BytesPerLane;
  const double PassBytes = G.sharedPassBytes();
  SmallVector<uint64_t, 64> Sectors;
  switch (Space) {
  case MemorySpace::Shared:
    // The banks serve as many lanes of other blocks as ask others.
    if (const LaneMask Others = lanesOfOtherBlocks(R))
      addOtherBlocks(R, Others, G, Cost);
    Cost.Wavefronts = sharedWavefronts(R, G);
    Cost.IdealWavefronts =
        std::min(Cost.Wavefronts, std::ceil(ActiveBytes / PassBytes));
    return Cost;
  case MemorySpace::Constant:
  case MemorySpace::Param:
    // The constant cache serves one address after the other.
    Cost.Wavefronts = Cost.DistinctAddresses;
    Cost.IdealWavefronts = 1;
    return Cost;
  case MemorySpace::Local:
    for (const RequestAddresses &Word : localRequests(R)) {
      RequestCost Part;
      SmallVector<uint64_t, 64> PartSectors;
      foldCached(Word, G, Part, PartSectors);
      Sectors.append(PartSectors.begin(), PartSectors.end());
      Cost.Lines += Part.Lines;
      Cost.Wavefronts += Part.Wavefronts;
    }
    makeSet(Sectors);
    Cost.Sectors = double(Sectors.size());
    break;
  case MemorySpace::Global:
  case MemorySpace::Texture:
  case MemorySpace::Generic:
    foldCached(R, G, Cost, Sectors);
    break;
  }
  setIdeals(R, G, Cost);
  if (SectorIds)
    SectorIds->assign(Sectors.begin(), Sectors.end());
  return Cost;
}

/// Are \p A and \p B the same lane pattern, moved by a multiple of \p Period?
static bool isMoved(const RequestAddresses &A, const RequestAddresses &B,
                    uint64_t Period) {
  if (!A.Active || A.Active != B.Active || A.BytesPerLane != B.BytesPerLane)
    return false;
  unsigned First = unsigned(std::countr_zero(A.Active));
  uint64_t Moved = A.Address[First] - B.Address[First];
  if (Moved & (Period - 1))
    return false;
  uint64_t Differs = 0;
  for (unsigned L = 0; L < WarpLanes; ++L)
    Differs |= (A.Active >> L) & 1 ? (A.Address[L] - B.Address[L]) ^ Moved : 0;
  return Differs == 0;
}

/// Common addends are multiples of this: accesses are aligned to their width.
static uint64_t addendStep(const RequestAddresses &R, unsigned AlignLog2) {
  return std::max<uint64_t>(uint64_t(1) << std::min(AlignLog2, 32u),
                            R.BytesPerLane);
}

static RequestAddresses moved(const RequestAddresses &R, uint64_t Shift) {
  RequestAddresses Moved = R;
  for (uint64_t &A : Moved.Address)
    A += Shift;
  return Moved;
}

namespace {

/// What the shifts of one request, which costs \p Cost without, make of it.
class ShiftedCosts {
public:
  explicit ShiftedCosts(const RequestCost &Cost)
      : Cost(Cost),
        Effect{Cost.Sectors, Cost.Sectors, Cost.Wavefronts, Cost.Wavefronts} {}

  void add(const RequestCost &C) {
    Effect.Matters |= C != Cost;
    Effect.LeastSectors = std::min(Effect.LeastSectors, C.Sectors);
    Effect.MostSectors = std::max(Effect.MostSectors, C.Sectors);
    Effect.LeastWavefronts = std::min(Effect.LeastWavefronts, C.Wavefronts);
    Effect.MostWavefronts = std::max(Effect.MostWavefronts, C.Wavefronts);
  }

  const RequestCost &Cost;
  AddendEffect Effect;
};

} // namespace

/// Adds every shift of \p R, which L1 serves, by a multiple of \p Step below a
/// line. Shifts that leave the same rest of a sector reach the same sectors,
/// moved by whole ones; those that leave the same rest of a bank's word take
/// the same passes.
static void addShiftsInL1(const RequestAddresses &R, uint64_t Step,
                          const MemoryGeometry &G, ShiftedCosts &Out) {
  SmallVector<std::optional<double>, 4> PassesOf(G.SharedBankBytes);
  for (uint64_t Rest = 0; Rest < G.SectorBytes; ++Rest) {
    SmallVector<uint64_t, 64> Sectors, Lines;
    for (uint64_t Whole = Rest; Whole < G.LineBytes; Whole += G.SectorBytes) {
      if (Whole == 0 || Whole % Step != 0)
        continue;
      std::optional<double> &Passes = PassesOf[Rest % G.SharedBankBytes];
      if (Sectors.empty()) {
        const RequestAddresses Moved = moved(R, Rest);
        collectPieces(Moved, G.SectorBytes, Sectors);
        if (!Passes)
          Passes = passesByParts(Moved, G.SharedBanks, G.SharedBankBytes,
                                 /*Joins=*/false);
      }
      collectLines(Sectors, Whole / G.SectorBytes, G, Lines);
      RequestCost C = Out.Cost;
      C.Sectors = double(Sectors.size());
      C.Lines = double(Lines.size());
      C.Wavefronts = std::max(*Passes, tagCycles(Lines, G));
      setIdeals(R, G, C);
      Out.add(C);
    }
  }
}

/// Adds every shift of \p R, a request for local memory, by a multiple of \p
/// Step below a line. A shift by whole words moves each word of each lane by as
/// many rows of the warp: neither its sectors nor its passes change.
static void addShiftsInLocal(const RequestAddresses &R, uint64_t Step,
                             const MemoryGeometry &G, ShiftedCosts &Out) {
  struct Word {
    SmallVector<uint64_t, 32> Sectors;
    double Passes;
  };
  constexpr uint64_t WordBytes = 4;
  const uint64_t SectorsPerRow = WordBytes * WarpLanes / G.SectorBytes;
  for (uint64_t Rest = 0; Rest < WordBytes; ++Rest) {
    SmallVector<Word, 4> Words;
    SmallVector<uint64_t, 64> Sectors, Lines;
    for (uint64_t Whole = Rest; Whole < G.LineBytes; Whole += WordBytes) {
      if (Whole == 0 || Whole % Step != 0)
        continue;
      if (Words.empty()) {
        for (const RequestAddresses &W : localRequests(moved(R, Rest))) {
          Word &New = Words.emplace_back();
          collectPieces(W, G.SectorBytes, New.Sectors);
          New.Passes = passesByParts(W, G.SharedBanks, G.SharedBankBytes,
                                     /*Joins=*/false);
          Sectors.append(New.Sectors);
        }
        makeSet(Sectors);
      }
      RequestCost C = Out.Cost;
      C.Sectors = double(Sectors.size());
      C.Lines = C.Wavefronts = 0;
      for (const Word &W : Words) {
        collectLines(W.Sectors, Whole / WordBytes * SectorsPerRow, G, Lines);
        C.Lines += double(Lines.size());
        C.Wavefronts += std::max(W.Passes, tagCycles(Lines, G));
      }
      setIdeals(R, G, C);
      Out.add(C);
    }
  }
}

AddendEffect gpuocc::addendEffect(const RequestAddresses &R, MemorySpace Space,
                                  const RequestCost &Cost, unsigned AlignLog2,
                                  const MemoryGeometry &G) {
  const uint64_t Step = addendStep(R, AlignLog2);
  ShiftedCosts Out(Cost);
  const bool InShared = Space == MemorySpace::Shared;
  const bool InL1 = Space == MemorySpace::Global ||
                    Space == MemorySpace::Texture ||
                    Space == MemorySpace::Generic;
  if (InL1 && !R.IsAtomic) {
    addShiftsInL1(R, Step, G, Out);
    return Out.Effect;
  }
  if (Space == MemorySpace::Local && !R.IsAtomic) {
    addShiftsInLocal(R, Step, G, Out);
    return Out.Effect;
  }
  // What shared memory does with a shift by whole words it does with none.
  const uint64_t Period =
      InShared ? uint64_t(R.IsAtomic ? G.SharedBanks : 1) * G.SharedBankBytes
               : G.LineBytes;
  for (uint64_t Shift = Step; Shift < Period; Shift += Step)
    Out.add(foldRequest(moved(R, Shift), Space, G));
  return Out.Effect;
}

RequestCost FoldMemo::fold(const RequestAddresses &R, MemorySpace Space,
                           const MemoryGeometry &G) {
  const uint64_t Period =
      std::max({uint64_t(G.LineBytes), uint64_t(G.sharedPassBytes())});
  for (const Entry &E : Entries)
    if (E.Space == Space && isMoved(R, E.Request, Period) &&
        (Space != MemorySpace::Shared ||
         lanesOfOtherBlocks(R) == lanesOfOtherBlocks(E.Request)))
      return E.Cost;
  if (Entries.size() < NumEntries)
    Entries.emplace_back();
  Entry &E = Entries[Oldest];
  Oldest = (Oldest + 1) % NumEntries;
  E.Request = R;
  E.Space = Space;
  E.Cost = foldRequest(R, Space, G);
  return E.Cost;
}

AddendEffect FoldMemo::addend(const RequestAddresses &R, MemorySpace Space,
                              const RequestCost &Cost, unsigned AlignLog2,
                              const MemoryGeometry &G) {
  // Requests that differ by an addend have the same bounds.
  const uint64_t Step = addendStep(R, AlignLog2);
  for (const AddendEntry &E : AddendEntries)
    if (E.Space == Space && E.AlignLog2 == AlignLog2 &&
        isMoved(R, E.Request, std::bit_ceil(Step)))
      return E.Effect;
  if (AddendEntries.size() < NumAddendEntries)
    AddendEntries.emplace_back();
  AddendEntry &E = AddendEntries[OldestAddend];
  OldestAddend = (OldestAddend + 1) % NumAddendEntries;
  E.Request = R;
  E.Space = Space;
  E.AlignLog2 = AlignLog2;
  E.Effect = addendEffect(R, Space, Cost, AlignLog2, G);
  return E.Effect;
}
