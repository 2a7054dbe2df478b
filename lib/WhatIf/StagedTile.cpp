//===- StagedTile.cpp - Tiles of global in shared memory ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/StagedTile.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/Barriers.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <set>

using namespace gpuocc;
using namespace llvm;

static constexpr double LanesPerWarp = 32;

/// The load of global memory whose value \p Stored is; NoIndex if it is none.
static uint32_t loadOf(const KernelFacts &Facts, const Operand &Stored) {
  const Operation *Op = Facts.operationOf(Stored);
  if (!Op || Op->Access == NoIndex)
    return NoIndex;
  const MemoryAccess &A = Facts.Accesses[Op->Access];
  return isInArrays(A.Space) && A.Kind == AccessKind::Load && !A.Volatile
             ? Stored.Index
             : NoIndex;
}

StagedTile gpuocc::stagedTile(const KernelFacts &Facts) {
  StagedTile Tile;
  for (const MemoryAccess &A : Facts.Accesses) {
    if (A.Kind == AccessKind::AsyncCopy)
      return {};
    if (A.Space != MemorySpace::Shared)
      continue;
    if (A.Kind == AccessKind::Load && !A.Volatile) {
      Tile.Reads.push_back(A.Op);
      continue;
    }
    const uint32_t Load = A.Kind == AccessKind::Store && A.Stored.size() == 1
                              ? loadOf(Facts, A.Stored.front())
                              : NoIndex;
    if (Load == NoIndex)
      return {};
    Tile.Copies.push_back({Load, A.Op});
  }
  return Tile.Copies.empty() ? StagedTile() : Tile;
}

static const AccessProfile &profileOf(const KernelVariant &V, uint32_t Op) {
  return V.Profile.Accesses[V.Facts.Operations[Op].Access];
}

static AccessProfile &profileOf(KernelVariant &V, uint32_t Op) {
  return V.Profile.Accesses[V.Facts.Operations[Op].Access];
}

static const MemoryAccess &accessOf(const KernelVariant &V, uint32_t Op) {
  return V.Facts.Accesses[V.Facts.Operations[Op].Access];
}

/// The copy with most requests: halos have fewer.
static const StagedTile::Copy &mainCopy(const KernelVariant &V,
                                        const StagedTile &Tile) {
  return *llvm::max_element(Tile.Copies, [&](const auto &A, const auto &B) {
    return profileOf(V, A.Load).RequestsPerWarp <
           profileOf(V, B.Load).RequestsPerWarp;
  });
}

static bool isOneWord(const AccessProfile &P) {
  return P.LaneStrideBytes && *P.LaneStrideBytes == 0;
}

/// The load of the word that the thread itself put last where \p Read reads;
/// NoIndex if another thread did.
static uint32_t ownLoad(const KernelVariant &V, const StagedTile &Tile,
                        uint32_t Read) {
  const MemoryAccess &A = accessOf(V, Read);
  uint32_t Last = NoIndex, Load = NoIndex;
  for (const StagedTile::Copy &C : Tile.Copies) {
    const MemoryAccess &To = accessOf(V, C.Store);
    // An unrolled loop has several copies to a word.
    if (Last != NoIndex && (C.Store > Read || C.Store < Last))
      continue;
    if (To.Base == A.Base && To.OffsetBytes == A.OffsetBytes &&
        To.BytesPerLane == A.BytesPerLane &&
        V.Facts.Blocks[V.Facts.Operations[C.Store].Block].Loop ==
            V.Facts.Blocks[V.Facts.Operations[Read].Block].Loop) {
      Last = C.Store;
      Load = C.Load;
    }
  }
  return Load;
}

static uint32_t loopOf(const KernelVariant &V, uint32_t Op) {
  return V.Facts.Blocks[V.Facts.Operations[Op].Block].Loop;
}

static unsigned barriersIn(const KernelFacts &Facts, uint32_t L) {
  return unsigned(count_if(Facts.Operations, [&](const Operation &Op) {
    return is_contained(Facts.Loops[L].Blocks, Op.Block) && meetsAtBarrier(Op);
  }));
}

bool gpuocc::isOfOwnWords(const KernelVariant &V, const StagedTile &Tile) {
  std::map<uint32_t, unsigned> Copies;
  for (const StagedTile::Copy &C : Tile.Copies) {
    const uint32_t L = loopOf(V, C.Store);
    if (L == NoIndex || loopOf(V, C.Load) != L)
      return false;
    ++Copies[L];
  }
  // A loop that copies several words before it uses the first is unrolled by
  // hand already.
  return all_of(Copies,
                [&](const auto &OfLoop) {
                  return barriersIn(V.Facts, OfLoop.first) >= OfLoop.second;
                }) &&
         all_of(Tile.Reads,
                [&](uint32_t Op) { return ownLoad(V, Tile, Op) != NoIndex; });
}

bool gpuocc::isReadAsLoaded(const KernelVariant &V, const StagedTile &Tile) {
  constexpr double WithoutConflicts = 1.05;
  const StagedTile::Copy &Main = mainCopy(V, Tile);
  const AccessProfile &From = profileOf(V, Main.Load);
  // A tile of own words is there to load several before the first is used
  // (copySharedMem of the CUDA samples: an H200 takes 129 us, and 167 us
  // without the tile).
  if (all_of(Tile.Reads,
             [&](uint32_t Op) { return ownLoad(V, Tile, Op) != NoIndex; }))
    return false;
  return all_of(Tile.Reads, [&](uint32_t Op) {
    const AccessProfile &P = profileOf(V, Op);
    const MemoryAccess &A = accessOf(V, Op);
    if (A.BytesPerLane != accessOf(V, Main.Load).BytesPerLane ||
        P.WavefrontsPerRequest > P.IdealWavefrontsPerRequest * WithoutConflicts)
      return false;
    // Rows of a tile narrower than a warp, as the load has them.
    if (!P.LaneStrideBytes)
      return !From.LaneStrideBytes &&
             profileOf(V, Main.Store).WavefrontsPerRequest <=
                 P.IdealWavefrontsPerRequest * WithoutConflicts;
    return isOneWord(P) || *P.LaneStrideBytes == int64_t(A.BytesPerLane);
  });
}

namespace {

/// Sectors of global memory, and how many of them L1 does not have.
struct Sectors {
  double Asked = 0, Missed = 0;

  void add(const AccessProfile &P) {
    Asked += P.RequestsPerWarp * P.SectorsPerRequest;
    Missed += P.RequestsPerWarp * P.SectorsPerRequest * (1 - P.L1HitFraction);
  }
};

/// Takes a tile away.
class TileRemover {
public:
  TileRemover(KernelVariant &V, const StagedTile &Tile, const MemoryGeometry &G)
      : V(V), Tile(Tile), Geometry(G), Main(mainCopy(V, Tile)),
        From(profileOf(V, Main.Load)) {}

  void run() {
    Sectors Copied, Read;
    for (const StagedTile::Copy &C : Tile.Copies)
      Copied.add(profileOf(V, C.Load));
    std::vector<uint32_t> Dropped, Kept;
    for (uint32_t Op : Tile.Reads) {
      if (const uint32_t Own = ownLoad(V, Tile, Op); Own != NoIndex) {
        replaceUses(V.Facts, Op, Operand::value(Own));
        KeptLoads.insert(Own);
        Dropped.push_back(Op);
        continue;
      }
      load(Op);
      Read.add(profileOf(V, Op));
      Kept.push_back(Op);
    }
    for (const StagedTile::Copy &C : Tile.Copies) {
      Dropped.push_back(C.Store);
      if (!KeptLoads.count(C.Load))
        Dropped.push_back(C.Load);
      else
        Copied.Missed -= missed(profileOf(V, C.Load));
    }
    // The words that the block needs are the same.
    const double Missing =
        Read.Asked > 0 ? std::clamp(Copied.Missed / Read.Asked, 0.0, 1.0) : 0;
    for (uint32_t Op : Kept) {
      profileOf(V, Op).L1HitFraction = 1 - Missing;
      profileOf(V, Op).LineVisitFraction *= Missing;
    }
    dropOperations(V, Dropped);
    for (uint32_t I = 0; I != V.Facts.Operations.size(); ++I)
      dropEmissions(V.Facts, I, InstClass::Barrier);
    dropEmptySides(V);
    if (Kept.empty())
      unrollLoops();
    V.Facts.StaticSharedBytes = 0;
    V.Facts.UsesDynamicShared = false;
    V.Launched.DynamicSharedBytes.Value = 0;
  }

private:
  KernelVariant &V;
  const StagedTile &Tile;
  const MemoryGeometry &Geometry;
  const StagedTile::Copy Main;
  const AccessProfile From;
  std::set<uint32_t> KeptLoads;

  /// Compilers unroll loops without barriers, and loads of several iterations
  /// then begin before the first is used.
  void unrollLoops() {
    constexpr unsigned Iterations = 4;
    for (const StagedTile::Copy &C : Tile.Copies)
      if (const uint32_t L = loopOf(V, C.Load); L != NoIndex)
        unrollLoop(V, L, Iterations);
  }

  static double missed(const AccessProfile &P) {
    Sectors S;
    S.add(P);
    return S.Missed;
  }

  void load(uint32_t Op) {
    V.Facts.Operations[Op].Emits = {{InstClass::LdGlobal, 1, 1}};
    MemoryAccess &A = V.Facts.Accesses[V.Facts.Operations[Op].Access];
    A.Space = MemorySpace::Global;
    A.NonCoherent = true;
    AccessProfile &P = profileOf(V, Op);
    const AccessProfile Before = P;
    P = From;
    P.ExecutionsPerWarp = Before.ExecutionsPerWarp;
    P.RequestsPerWarp = Before.RequestsPerWarp;
    P.ActiveLanes = Before.ActiveLanes;
    // In a deeper loop, most of what it reads is there.
    P.L1WaitFraction *=
        std::min(1.0, From.RequestsPerWarp / std::max(P.RequestsPerWarp, 1e-9));
    if (isOneWord(Before)) {
      P.SectorsPerRequest = P.LinesPerRequest = P.WavefrontsPerRequest = 1;
      return;
    }
    // Neighbours begin in the middle of a sector.
    P.SectorsPerRequest =
        std::max(P.SectorsPerRequest, P.IdealSectorsPerRequest + 1);
    P.LinesPerRequest = std::max(
        P.LinesPerRequest,
        P.IdealSectorsPerRequest * Geometry.SectorBytes / Geometry.LineBytes +
            1);
  }
};

} // namespace

Change gpuocc::dropTile(StagedTile Tile, MemoryGeometry G) {
  return makeChange(ChangeKind::DropTile,
                    [Tile = std::move(Tile), G](KernelVariant &V) {
                      TileRemover(V, Tile, G).run();
                    });
}

static bool hasBarrier(const KernelFacts &Facts, uint32_t L) {
  return any_of(Facts.Operations, [&](const Operation &Op) {
    return is_contained(Facts.Loops[L].Blocks, Op.Block) && meetsAtBarrier(Op);
  });
}

static bool storesToArrays(const KernelFacts &Facts, uint32_t L) {
  return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
    return isInArrays(A.Space) && A.Kind != AccessKind::Load &&
           is_contained(Facts.Loops[L].Blocks, Facts.Operations[A.Op].Block);
  });
}

/// Innermost, long, and all warps of a block run through it together. Stores
/// hold loads back; that is a matter of ReadOnly.
static bool isLoopForTile(const KernelVariant &V, uint32_t L) {
  constexpr double FewestTrips = 8, AboutOne = 0.99, MostLanes = 0.9;
  const LoopProfile &P = V.Profile.Loops[L];
  const BlockProfile &Header = V.Profile.Blocks[V.Facts.Loops[L].Header];
  return Header.ActiveLaneFraction >= MostLanes &&
         Header.ExecutionsPerWarp >= MostLanes * P.TripCount &&
         !storesToArrays(V.Facts, L) && P.TripCount >= FewestTrips &&
         P.LaneBalance >= AboutOne && P.Exact != Exactness::DataDependent &&
         none_of(
             V.Facts.Loops,
             [&](const gpuocc::Loop &Other) { return Other.Parent == L; }) &&
         !hasBarrier(V.Facts, L);
}

/// Arrays that the kernel writes; no value where that may be any.
static std::optional<std::set<uint64_t>>
writtenArrays(const KernelFacts &Facts) {
  std::set<uint64_t> Written;
  for (const MemoryAccess &A : Facts.Accesses)
    if (isInArrays(A.Space) && A.Kind != AccessKind::Load &&
        A.Kind != AccessKind::AsyncCopy) {
      const std::optional<uint64_t> Array = arrayOfAccess(Facts, A);
      if (!Array)
        return std::nullopt;
      Written.insert(*Array);
    }
  return Written;
}

/// Lanes are told apart by more than their coordinates: fragments of matrices,
/// lane numbers.
static bool knowsLanes(const KernelFacts &Facts) {
  return any_of(Facts.Operations, [](const Operation &Op) {
    return Op.SReg == SpecialReg::LaneId || Op.SReg == SpecialReg::WarpId ||
           any_of(Op.Emits, [](const Emission &E) {
             return defaultPipe(E.Class) == Resource::Tensor;
           });
  });
}

std::vector<SharedLoad> gpuocc::loadsWorthSharing(const KernelVariant &V) {
  constexpr double FewestThreads = 4;
  const Dim3 Block = V.Launched.Block.Value;
  const uint64_t Extents[] = {Block.X, Block.Y, Block.Z};
  std::vector<SharedLoad> Found;
  std::vector<bool> IsForTile;
  for (uint32_t L = 0; L != V.Facts.Loops.size(); ++L)
    IsForTile.push_back(isLoopForTile(V, L));
  if (none_of(IsForTile, [](bool B) { return B; }) || knowsLanes(V.Facts))
    return Found;
  const std::optional<std::set<uint64_t>> Written = writtenArrays(V.Facts);
  if (!Written)
    return Found;
  std::optional<std::vector<bool>> Depends[3];
  for (unsigned D = 0; D != 3; ++D)
    if (Extents[D] > 1) {
      Depends[D] =
          dependsOnMerged(V.Facts, V.Profile, {MergeOf::Threads, D, 2});
      if (!Depends[D])
        return Found;
    }
  for (const MemoryAccess &A : V.Facts.Accesses) {
    const uint32_t B = V.Facts.Operations[A.Op].Block;
    const uint32_t L = V.Facts.Blocks[B].Loop;
    if (L == NoIndex || !IsForTile[L] || A.Kind != AccessKind::Load ||
        !isInArrays(A.Space) || A.Volatile || !A.Base.isValue() ||
        !is_contained(V.Facts.Loops[L].Blocks,
                      V.Facts.Operations[A.Base.Index].Block) ||
        V.Profile.Blocks[B].ExecutionsPerWarp <
            V.Profile.Blocks[V.Facts.Loops[L].Header].ExecutionsPerWarp * 0.99)
      continue;
    const std::optional<uint64_t> Array = arrayOfAccess(V.Facts, A);
    SharedLoad Load{A.Op, 1};
    for (unsigned D = 0; D != 3; ++D)
      if (Depends[D] && !(*Depends[D])[A.Op])
        Load.Threads *= double(Extents[D]);
    if (Array && !Written->count(*Array) && Load.Threads >= FewestThreads)
      Found.push_back(Load);
  }
  return Found;
}

namespace {

/// Lets loads read a tile that the block fills before.
class TileMaker {
public:
  TileMaker(KernelVariant &V, ArrayRef<SharedLoad> Loads,
            const MemoryGeometry &G)
      : V(V), Loads(Loads), G(G) {}

  void run() {
    const double Words =
        iterationsOfTile() * double(V.Launched.Block.Value.count());
    double Bytes = 0;
    for (const SharedLoad &Load : Loads) {
      Bytes += Words / Load.Threads * accessOf(V, Load.Op).BytesPerLane;
      const AccessProfile Before = profileOf(V, Load.Op);
      const uint32_t Copy = addCopy(Load, Before);
      addStore(Load, Copy, Before);
      readTile(Load, Before, profileOf(V, Copy).WavefrontsPerRequest);
    }
    moveOperations(V, Moves);
    V.Facts.StaticSharedBytes += uint64_t(Bytes);
  }

private:
  KernelVariant &V;
  ArrayRef<SharedLoad> Loads;
  const MemoryGeometry &G;
  std::vector<MoveOperation> Moves;

  /// What tiles of products commonly have. A loop that is unrolled loads
  /// several words of one array.
  double iterationsOfTile() const {
    constexpr double WordsOfRow = 16;
    std::set<std::optional<uint64_t>> Arrays;
    for (const SharedLoad &Load : Loads)
      Arrays.insert(arrayOfAccess(V.Facts, accessOf(V, Load.Op)));
    return std::max(1.0,
                    WordsOfRow * double(Arrays.size()) / double(Loads.size()));
  }

  uint32_t add(Operation Op, MemoryAccess Access,
               const AccessProfile &Profile) {
    const uint32_t Index = uint32_t(V.Facts.Operations.size());
    Op.Access = uint32_t(V.Facts.Accesses.size());
    Access.Op = Index;
    Moves.push_back({Index, Op.Block});
    V.Facts.Accesses.push_back(std::move(Access));
    V.Profile.Accesses.push_back(Profile);
    V.Facts.Operations.push_back(std::move(Op));
    return Index;
  }

  /// Each word is copied by one of the threads, in whole requests.
  uint32_t addCopy(const SharedLoad &Load, const AccessProfile &Before) {
    const MemoryAccess From = accessOf(V, Load.Op);
    const double Share = 1 / Load.Threads;
    Operation Copy = V.Facts.Operations[Load.Op];
    Copy.Emits = {{InstClass::LdGlobal, float(Share), float(Share)}};
    AccessProfile P = Before;
    P.RequestsPerWarp *= Share;
    P.SectorsPerRequest = P.IdealSectorsPerRequest =
        LanesPerWarp * From.BytesPerLane / G.SectorBytes;
    P.LinesPerRequest = LanesPerWarp * From.BytesPerLane / G.LineBytes;
    P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest =
        std::max(1.0, P.LinesPerRequest);
    P.LaneStrideBytes = int64_t(From.BytesPerLane);
    const double Missed = Before.SectorsPerRequest * (1 - Before.L1HitFraction);
    P.L1HitFraction = 1 - std::min(1.0, Missed / (Share * P.SectorsPerRequest));
    P.L1WaitFraction = std::min(1.0, Before.L1WaitFraction / Share);
    P.LineVisitFraction = std::min(1.0, Before.LineVisitFraction / Share);
    return add(std::move(Copy), From, P);
  }

  void addStore(const SharedLoad &Load, uint32_t Copy,
                const AccessProfile &Before) {
    const float Share = float(1 / Load.Threads);
    Operation Put = V.Facts.Operations[Copy];
    Put.What = Semantics::Opaque;
    Put.NumResults = 0;
    Put.Opcode = "staged";
    Put.Emits = {{InstClass::StShared, Share, Share}};
    Put.Operands = {Operand::value(Copy)};
    MemoryAccess To;
    To.Space = MemorySpace::Shared;
    To.Kind = AccessKind::Store;
    To.BytesPerLane = accessOf(V, Load.Op).BytesPerLane;
    To.Stored = {Operand::value(Copy)};
    const AccessProfile &Copied = profileOf(V, Copy);
    AccessProfile P;
    P.ExecutionsPerWarp = Before.ExecutionsPerWarp;
    P.RequestsPerWarp = Copied.RequestsPerWarp;
    P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest =
        Copied.WavefrontsPerRequest;
    add(std::move(Put), std::move(To), P);
  }

  void readTile(const SharedLoad &Load, const AccessProfile &Before,
                double WavefrontsOfRow) {
    V.Facts.Operations[Load.Op].Emits = {{InstClass::LdShared, 1, 1}};
    MemoryAccess &Read = V.Facts.Accesses[V.Facts.Operations[Load.Op].Access];
    Read.Space = MemorySpace::Shared;
    Read.NonCoherent = false;
    AccessProfile &P = profileOf(V, Load.Op);
    P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest =
        isOneWord(Before) ? 1 : WavefrontsOfRow;
    P.L1HitFraction = P.L2HitFraction = 0;
  }
};

} // namespace

Change gpuocc::reuseTile(std::vector<SharedLoad> Loads, MemoryGeometry G) {
  return makeChange(ChangeKind::ReuseTile,
                    [Loads = std::move(Loads), G](KernelVariant &V) {
                      TileMaker(V, Loads, G).run();
                    });
}
