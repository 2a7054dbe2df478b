//===- EstimateL2.cpp - Footprints, and hits in L2 ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheEstimate.h"
#include "FarReuse.h"
#include "L2Objects.h"
#include "PartSectors.h"
#include "gpuocc/Kernel/AccessCopies.h"
#include "gpuocc/Kernel/Dominators.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <functional>

using namespace gpuocc;
using namespace llvm;

/// Bytes that a byte written and a byte read take of L2 while they compete for
/// it. What was written and is still there when the kernel ends does not reach
/// DRAM in its time.
///
/// Source: written less what DRAM received, on an H200 with two halves of 30
/// MB (Nsight Compute, 2026-11-21): 29 MB of streams that only write, 21 to 26
/// of copies, 12 to 18 where two bytes are read for one written.
static constexpr double RoomOfReads = 0.4;

/// The stores that warps come to at different times, since each has waited for
/// a load before. L1 passes those of warps that come together on as one.
///
/// Source: H100, stores of 32768 warps to one word. Alone, eight by each warp,
/// they take 0.035 ns each (hot-sectors.csv); behind loads, in the levels of a
/// breadth-first search, 1.01 ns (flag-stores.csv).
static std::vector<bool> findStoresApart(const KernelFacts &Facts,
                                         const ExecutionProfile &Profile) {
  std::vector<bool> Found(Facts.Accesses.size());
  const Dominators Tree = Dominators::of(graphOf(Facts));
  auto ComesBefore = [&](uint32_t First, uint32_t Second) {
    const uint32_t In = Facts.Operations[First].Block;
    const uint32_t Of = Facts.Operations[Second].Block;
    return In == Of ? First < Second : Tree.dominates(In, Of);
  };
  for (size_t I = 0; I < Found.size(); ++I) {
    const MemoryAccess &Store = Facts.Accesses[I];
    if (Store.Kind != AccessKind::Store || !isCachedSpace(Store.Space) ||
        Store.Op >= Facts.Operations.size())
      continue;
    for (size_t L = 0; L < Found.size() && !Found[I]; ++L) {
      const MemoryAccess &Load = Facts.Accesses[L];
      Found[I] = Load.Kind == AccessKind::Load && isCachedSpace(Load.Space) &&
                 Load.Op < Facts.Operations.size() &&
                 Profile.Accesses[L].RequestsPerWarp > 0 &&
                 ComesBefore(Load.Op, Store.Op);
    }
  }
  return Found;
}

/// What atomic \p Index and its copies reach of one object: those of an
/// unrolled loop change other words of the same array.
static AddressRange withCopies(const KernelFacts &Facts,
                               ArrayRef<AddressRange> Ranges, size_t Index) {
  const MemoryAccess &A = Facts.Accesses[Index];
  AddressRange All = Ranges[Index];
  for (size_t I = 0; I < Ranges.size(); ++I)
    if (!Ranges[I].isEmpty() && areCopies(Facts, A, Facts.Accesses[I]) &&
        objectOf(Facts, Ranges, I) == objectOf(Facts, Ranges, Index))
      All.add(Ranges[I]);
  return All;
}

static void markHostMemory(const WalkedLaunch &L, ArrayRef<AddressRange> Ranges,
                           ExecutionProfile &Profile) {
  if (!L.options().Used.has(Mechanism::HostMemory))
    return;
  for (size_t I = 0; I < Ranges.size(); ++I)
    Profile.Accesses[I].IsHostMemory =
        !Ranges[I].isEmpty() && L.isHostMemory(Ranges[I].Low);
}

namespace {

/// Sectors, and the bytes from the lowest to behind the highest.
struct Spread {
  double Sectors, Bytes;
};

} // namespace

/// What access \p Index reaches of \p Ranges. Loaded indices reach all of the
/// places that they are drawn from.
static Spread spreadOf(const KernelFacts &Facts, const AccessProfile &A,
                       ArrayRef<AddressRange> Ranges, size_t Index,
                       bool WithCopies, const MemoryGeometry &Geometry) {
  if (A.DrawnAddresses) {
    const uint64_t Step = std::max<uint64_t>(
        Ranges[Index].Step, Facts.Accesses[Index].BytesPerLane);
    const double Bytes = *A.DrawnAddresses * double(Step);
    return {Step > Geometry.SectorBytes
                ? *A.DrawnAddresses
                : std::ceil(Bytes / Geometry.SectorBytes),
            Bytes};
  }
  const AddressRange R =
      WithCopies ? withCopies(Facts, Ranges, Index) : Ranges[Index];
  return {std::ceil(R.bytes(Geometry.SectorBytes) / Geometry.SectorBytes),
          double(R.High - R.Low)};
}

/// Notes how many sectors the blocks that run together meet on, which reach
/// \p OfWave.
static void countSectorsOfWave(const KernelFacts &Facts,
                               ArrayRef<AddressRange> OfWave,
                               const MemoryGeometry &Geometry,
                               ExecutionProfile &Profile) {
  for (size_t I = 0; I < OfWave.size(); ++I) {
    AccessProfile &A = Profile.Accesses[I];
    const MemoryAccess &Of = Facts.Accesses[I];
    if (OfWave[I].isEmpty() || !isCachedSpace(Of.Space) ||
        Of.Space == MemorySpace::Local || Of.Kind == AccessKind::Store ||
        !(A.IsInOrder || A.DrawnAddresses))
      continue;
    const Spread S =
        spreadOf(Facts, A, OfWave, I, /*WithCopies=*/true, Geometry);
    A.WaveSectors = S.Sectors;
    A.WaveSpanBytes = S.Bytes;
  }
}

/// Notes how many sectors the grid meets on with atomics, and with stores that
/// come apart.
static void countSharedSectors(const KernelFacts &Facts,
                               ArrayRef<AddressRange> Ranges,
                               const MemoryGeometry &Geometry,
                               ExecutionProfile &Profile) {
  const std::vector<bool> Apart = findStoresApart(Facts, Profile);
  for (size_t I = 0; I < Ranges.size(); ++I) {
    AccessProfile &A = Profile.Accesses[I];
    const bool Updates = isAtomic(Facts.Accesses[I].Kind);
    // A loaded pointer leads to places that nobody knows, not to one of them.
    const bool IsSomewhere = !Updates && !A.IsInOrder && !A.DrawnAddresses;
    if (Ranges[I].isEmpty() || IsSomewhere || !(Updates || Apart[I]))
      continue;
    const Spread S = spreadOf(Facts, A, Ranges, I, Updates, Geometry);
    A.GridSectors = S.Sectors;
    A.GridSpanBytes = S.Bytes;
  }
}

/// Bytes of a line that stores to \p O fill, taken together.
static Known<double> writtenLineBytes(const ReuseGroup &O,
                                      const MemoryGeometry &Geometry) {
  if (O.Random > 0)
    return Known<double>::unknown("loaded indices choose what is written");
  double Share = O.distinct() / std::max(1.0, double(O.High - O.Low));
  return std::clamp(Share * Geometry.LineBytes, double(Geometry.SectorBytes),
                    double(Geometry.LineBytes));
}

/// Share of the sectors of \p Stored that are among those of \p Loads: all of
/// them when something loads the same addresses, otherwise as many as of the
/// whole range.
static double loadedFraction(const AddressRange &Stored,
                             const ReuseGroup &Loads) {
  if (Loads.Reached.count(Stored))
    return 1;
  uint64_t Low = std::max(Stored.Low, Loads.Low);
  uint64_t High = std::min(Stored.High, Loads.High);
  if (Low >= High)
    return 0;
  double Density = Loads.distinct() / double(Loads.High - Loads.Low);
  return Density * double(High - Low) / double(Stored.High - Stored.Low);
}

static Dim3 middleOf(Dim3 Grid) { return {Grid.X / 2, Grid.Y / 2, Grid.Z / 2}; }

/// Warps of a block that do what none of \p Warps does, which reach \p Ranges:
/// one that copies for the others, for instance. Each has an access that brings
/// more than a little.
static SmallVector<unsigned, 2> otherRoles(const WalkedLaunch &L,
                                           const ExecutionProfile &Profile,
                                           ArrayRef<unsigned> Warps,
                                           ArrayRef<AddressRange> Ranges) {
  constexpr double Little = 0.01;
  auto Asks = [&](size_t I) {
    const AccessProfile &A = Profile.Accesses[I];
    return isCachedSpace(L.facts().Accesses[I].Space)
               ? A.RequestsPerWarp * A.SectorsPerRequest
               : 0;
  };
  double All = 0;
  for (size_t I = 0; I < Ranges.size(); ++I)
    All += Asks(I);
  SmallVector<size_t, 8> Missing;
  for (size_t I = 0; I < Ranges.size(); ++I)
    if (Ranges[I].isEmpty() && Asks(I) > Little * All)
      Missing.push_back(I);
  SmallVector<unsigned, 2> Out;
  for (unsigned W = 0; W < L.warpsPerBlock() && !Missing.empty(); ++W) {
    if (is_contained(Warps, W))
      continue;
    const size_t Before = Missing.size();
    const std::vector<AddressRange> Of =
        L.findRanges({middleOf(L.grid())}, {W});
    erase_if(Missing, [&](size_t I) { return !Of[I].isEmpty(); });
    if (Missing.size() != Before)
      Out.push_back(W);
  }
  return Out;
}

namespace {

/// What warps ask for again when L2 holds it no more: bytes of each object, and
/// the share of what each access asks for.
struct LostReuse {
  std::map<ObjectKey, double> Bytes;
  std::vector<double> OfAccess;
};

/// Which sectors that warps ask L2 for are on their way from DRAM. Blocks that
/// run together ask for what they share at nearly the same time, and those
/// that are ahead wait for DRAM until the others have caught up: what no
/// earlier wave of blocks has brought is awaited by all of them.
class FetchesUnderWay {
public:
  /// \p Roles: warps that do what the first, the middle and the last of a block
  /// do not.
  FetchesUnderWay(const WalkedLaunch &L, const ExecutionProfile &Profile,
                  const OwnShares &Own, ArrayRef<AddressRange> OfAll,
                  const L2Objects &OfGrid, ArrayRef<unsigned> Roles) {
    const MemoryGeometry &Geometry = L.geometry();
    const Dim3 Grid = L.grid();
    const uint64_t Total = Grid.count();
    const uint64_t Wave = std::clamp<uint64_t>(
        uint64_t(Geometry.SmCount) * Geometry.ResidentBlocksPerSm, 1, Total);
    Waves = double(Total) / double(Wave);
    const unsigned Last = L.warpsPerBlock() - 1;
    auto Find = [&](ArrayRef<Dim3> Blocks, ArrayRef<unsigned> Warps,
                    const OwnShares &Shares, double NumWarps) {
      return findObjects(L, Profile, L.findRanges(Blocks, Warps), Shares,
                         NumWarps);
    };
    SmallVector<unsigned, 4> Warps = {0u, Last};
    append_range(Warps, Roles);
    Ranges =
        Waves > 1 ? findRangesOfWave(L, Profile, Warps, Wave) : OfAll.vec();
    OfWave = Waves > 1 ? findObjects(L, Profile, Ranges, Own,
                                     double(Wave) * L.warpsPerBlock())
                       : OfGrid;
    const Dim3 Middle = middleOf(Grid);
    OfBlock = Find({Middle}, Warps, Own, L.warpsPerBlock());
    BlocksOfWave = double(Wave);
    WarpsOfWave = BlocksOfWave * L.warpsPerBlock();
    OfWarp = Find({Middle}, {Last / 2}, OwnShares(), 1);
    for (unsigned Role : Roles)
      OfWarp.merge(Find({Middle}, {Role}, OwnShares(), 1));
  }

  /// What the blocks that run together reach with each access.
  ArrayRef<AddressRange> rangesOfWave() const { return Ranges; }

  RunningBlocks running() const {
    return {OfWave, OfBlock, WarpsOfWave, Waves};
  }

  /// What the grid asks for again when L2 holds it no more. \p Objects: of the
  /// accesses.
  LostReuse lostReuse(const WalkedLaunch &L, const ExecutionProfile &Profile,
                      ArrayRef<ObjectKey> Objects) const {
    const double Room = double(L.geometry().L2Bytes);
    const double OfAll = bytesOfWave(L.geometry());
    LostReuse Out;
    Out.OfAccess.resize(Objects.size());
    if (shareDrivenOut(OfAll, Room) <= 0)
      return Out;
    const FarReuse Far(L, middleOf(L.grid()), (L.warpsPerBlock() - 1) / 2);
    struct OfObject {
      double Missed = 0, Lost = 0, First = 0;
    };
    std::map<ObjectKey, OfObject> Sums;
    double OfOne = 0;
    for (size_t I = 0; I < Objects.size(); ++I)
      OfOne += Far.firstBytes(I);
    if (OfOne <= 0)
      return Out;
    // The warps of a wave go on together.
    auto Lost = [&](double Distance) {
      return shareDrivenOut(std::min(1.0, Distance / OfOne) * OfAll, Room);
    };
    for (size_t I = 0; I < Objects.size(); ++I) {
      const AccessProfile &A = Profile.Accesses[I];
      const bool Passes = L.facts().Accesses[I].Kind != AccessKind::Load;
      const double Missed = A.RequestsPerWarp * A.SectorsPerRequest *
                            L.geometry().SectorBytes *
                            (Passes ? 1 : 1 - A.L1HitFraction);
      OfObject &O = Sums[Objects[I]];
      O.Missed += Missed;
      Out.OfAccess[I] = Far.shareLost(I, Lost);
      O.Lost += Missed * Out.OfAccess[I];
      O.First += Far.firstBytes(I);
    }
    for (const auto &[Key, O] : Sums) {
      auto Wave = OfWave.find(Key);
      if (O.Lost <= 0 || O.First <= 0 || Wave == OfWave.end())
        continue;
      // What several warps ask for together comes once.
      const double Apart =
          std::min(1.0, Wave->second.All.distinct() / (WarpsOfWave * O.First));
      Out.Bytes[Key] = O.Lost * Apart * Waves * WarpsOfWave;
    }
    return Out;
  }

  /// Bytes of \p Object, of which the grid reads \p OfGrid, that waves of
  /// blocks read again when all that the wave before asked for has driven them
  /// out.
  ///
  /// Source: an H200, products of 4096 x 4096 halves that others wrote
  /// (test/golden/products-h200), MB that DRAM serves: 694 and, of twelve more,
  /// 129 to 173; 719 and 102 to 119 by this, 83 where each number is read once.
  /// Blocks of a wave that drift apart read more.
  double lostToNextWaves(ObjectKey Object, const ReuseGroup &OfGrid,
                         const MemoryGeometry &Geometry) const {
    auto Wave = OfWave.find(Object);
    if (Object.first || Wave == OfWave.end() || OfGrid.Random > 0)
      return 0;
    return std::max(0.0,
                    Waves * Wave->second.All.distinct() - OfGrid.distinct()) *
           shareDrivenOut(bytesOfWave(Geometry), double(Geometry.L2Bytes));
  }

  /// Bytes of \p Object that waves of blocks ask for again after the grid has
  /// passed over all of it, \p OfGrid, and L2 holds them no more. A sector
  /// takes the room of all that DRAM brings at a time.
  double lostBetweenWaves(ObjectKey Object, const ReuseGroup &OfGrid,
                          double DistinctShare,
                          const MemoryGeometry &Geometry) const {
    auto Wave = OfWave.find(Object);
    if (Wave == OfWave.end())
      return 0;
    double Sectors = 0, Fetched = 0;
    for (const AddressRange &R : OfGrid.Reached) {
      Sectors += R.bytes(Geometry.SectorBytes);
      Fetched +=
          R.bytes(std::max(Geometry.SectorBytes, Geometry.DramFetchBytes));
    }
    const double Distinct = OfGrid.distinct();
    const ReuseGroup &Of = Wave->second.All;
    const double Again =
        Waves * std::min(Of.distinct(), Of.Asked * DistinctShare) - Distinct;
    return std::max(0.0, Again) *
           shareDrivenOut(Distinct * std::max(1.0, Fetched / Sectors),
                          double(Geometry.L2Bytes));
  }

  /// Bytes of L2 that hold all that the blocks that run together reach.
  double bytesOfWave(const MemoryGeometry &Geometry) const {
    double Bytes = 0;
    for (const auto &[Key, O] : OfWave)
      Bytes += O.All.distinct() * copiesOf(Key, Geometry);
    return Bytes;
  }

  /// Blocks that run together and reach a byte of \p Object, mean.
  double blocksPerByte(ObjectKey Object) const {
    auto Wave = OfWave.find(Object), Block = OfBlock.find(Object);
    if (Wave == OfWave.end() || Block == OfBlock.end() ||
        Wave->second.All.Random > 0)
      return 1;
    const double Together = Wave->second.All.distinct();
    return Together > 0
               ? std::clamp(BlocksOfWave * Block->second.All.distinct() /
                                Together,
                            1.0, BlocksOfWave)
               : 1;
  }

  /// Fraction of the sectors of \p Object asked for at L2 in \p Loop that are
  /// new to the chip or to all warps that run now. \p Distinct: bytes of the
  /// object that the grid reaches.
  double fraction(ObjectKey Object, uint32_t Loop, double Distinct) const {
    auto Wave = OfWave.find(Object), Warp = OfWarp.find(Object);
    if (Wave == OfWave.end() || Warp == OfWarp.end())
      return 0;
    // The warps of a wave find what each other brought in earlier loops, and a
    // warp that asks again what it brought itself.
    return newToWave(Wave->second, Distinct) *
           shareBrought(Wave->second, Loop, &ReuseGroup::distinct) *
           shareBrought(Warp->second, Loop,
                        [](const ReuseGroup &G) { return G.Missed; });
  }

private:
  static std::vector<AddressRange>
  findRangesOfWave(const WalkedLaunch &L, const ExecutionProfile &Profile,
                   ArrayRef<unsigned> Warps, uint64_t Blocks) {
    const BlockRun Run = middleRun(L.grid(), Blocks);
    std::vector<AddressRange> Ranges =
        L.findRanges(farthestOf(L.grid(), Run), Warps);
    L.addBetween(Run, Warps, Profile, Ranges);
    return Ranges;
  }

  /// What several blocks read, each partition of L2 keeps a copy of.
  double copiesOf(ObjectKey Key, const MemoryGeometry &Geometry) const {
    constexpr double OfSeveral = 2;
    return !Key.first && blocksPerByte(Key) >= OfSeveral
               ? std::max(1u, Geometry.L2Partitions)
               : 1;
  }

  double newToWave(const L2Object &OfOne, double Distinct) const {
    double InOne = OfOne.All.distinct();
    return InOne > 0 ? std::min(1.0, Distinct / (Waves * InOne)) : 0;
  }

  /// What \p Loop brings of an object, as a share of what \p Measure says of
  /// the loop.
  template <typename MeasureT>
  static double shareBrought(const L2Object &O, uint32_t Loop,
                             MeasureT Measure) {
    auto InLoop = O.ByLoop.find(Loop);
    if (InLoop == O.ByLoop.end())
      return 0;
    double Of = std::invoke(Measure, InLoop->second);
    double Brought = O.byLoop(O.All.distinct()).at(Loop);
    return Of > 0 ? std::min(1.0, Brought / Of) : 0;
  }

  double Waves = 1, BlocksOfWave = 1, WarpsOfWave = 1;
  std::vector<AddressRange> Ranges;
  L2Objects OfWave, OfBlock, OfWarp;
};

} // namespace

namespace {

/// What of the objects of a grid passes between L2 and DRAM.
class DramTraffic {
public:
  DramTraffic(const L2Objects &Objects, const MemoryGeometry &Geometry,
              Dim3 Grid, double Footprint, std::map<ObjectKey, double> Again)
      : Held(double(Geometry.L2Bytes) / Geometry.L2Partitions),
        Again(std::move(Again)) {
    // A thread finds again what it touched in an earlier loop if the blocks
    // that run with it have not filled L2 meanwhile.
    const double AtOnce =
        std::min(1.0, double(Geometry.SmCount) * Geometry.ResidentBlocksPerSm /
                          double(Grid.count()));
    Fits = Footprint * AtOnce <= double(Geometry.L2Bytes);
    double Stored = 0, Loaded = 0;
    for (const auto &[Key, O] : Objects)
      (Key.first ? Stored : Loaded) += bytesOf(Key, O);
    if (Stored == 0)
      return;
    const double Dirty = Held * Stored / (Stored + RoomOfReads * Loaded);
    EvictedShare = std::max(0.0, 1 - Dirty / Stored);
  }

  /// Bytes that are brought for the object \p O of that key, or written.
  double bytesOf(ObjectKey Key, const L2Object &O) const {
    double Bytes = O.All.distinct();
    if (!Fits) {
      double PerLoop = 0;
      for (const auto &[Loop, G] : O.ByLoop)
        PerLoop += G.distinct();
      Bytes = std::max(Bytes, PerLoop);
    }
    // In no order, a byte is found again if what L2 holds of the object has it.
    if (double Distinct = O.All.distinct(); Distinct > Held)
      Bytes += std::max(0.0, O.All.Random - Distinct) * (1 - Held / Distinct);
    if (auto It = Again.find(Key); It != Again.end())
      Bytes += It->second;
    return std::min(Bytes, O.All.Missed);
  }

  /// Of what is written, what leaves L2 before the kernel ends.
  double evictedShare() const { return EvictedShare; }

private:
  /// Bytes of an object that L2 holds.
  double Held;
  std::map<ObjectKey, double> Again;
  bool Fits = true;
  double EvictedShare = 1;
};

} // namespace

/// Sectors that access \p I asks L2 for, per warp: all of them, and those that
/// the SM has not just had.
static std::pair<double, double>
askedOfL2(const WalkedLaunch &L, const ExecutionProfile &Profile, size_t I) {
  const AccessProfile &A = Profile.Accesses[I];
  const bool Passes = L.facts().Accesses[I].Kind != AccessKind::Load;
  const double Asked = A.RequestsPerWarp * A.SectorsPerRequest *
                       (Passes ? 1 : 1 - A.L1HitFraction);
  return {Asked, Asked * (1 - A.AskedAgainFraction)};
}

/// By object and loop, the share of the sectors that L2 is asked for that the
/// SM has not just had: those that come from DRAM are among them.
static std::map<std::pair<ObjectKey, uint32_t>, double>
freshShares(const WalkedLaunch &L, ArrayRef<AddressRange> Ranges,
            const ExecutionProfile &Profile) {
  std::map<std::pair<ObjectKey, uint32_t>, std::pair<double, double>> Sums;
  for (size_t I = 0; I < Ranges.size(); ++I) {
    if (Ranges[I].isEmpty())
      continue;
    auto [Asked, Fresh] = askedOfL2(L, Profile, I);
    auto &[OfAll, OfFresh] =
        Sums[{objectOf(L.facts(), Ranges, I), L.loopOf(I)}];
    OfAll += Asked;
    OfFresh += Fresh;
  }
  std::map<std::pair<ObjectKey, uint32_t>, double> Shares;
  for (const auto &[Key, Sum] : Sums)
    Shares[Key] = Sum.first > 0 ? Sum.second / Sum.first : 1;
  return Shares;
}

static void noteReuse(const ReuseGroup &All, std::string &Reason) {
  raw_string_ostream OS(Reason);
  OS << (Reason.empty() ? "" : "; ");
  OS << format("%.3g MB distinct of %.3g MB at L2", All.distinct() / 1e6,
               All.Missed / 1e6);
}

/// Stores \p A fill sectors in parts: \p First of them are the first to their
/// sector. What L2 lets go of before it is filled is written back once more.
static void fetchRests(const PartSectors &Part, double First,
                       AccessProfile &A) {
  A.RestFetchedFraction =
      std::max(std::min(1.0, First) * Part.Fetched, Part.FetchedAgain) *
      (1 - std::clamp(A.LoadedFraction, 0.0, 1.0));
  const double WrittenBack = 1 - A.L2HitFraction;
  A.L2HitFraction =
      1 - (Part.AreFilled ? std::min(1.0, WrittenBack + *A.RestFetchedFraction)
                          : std::max(WrittenBack, *A.RestFetchedFraction));
}

/// Fills in what L2 has of each access.
static void fillHits(const WalkedLaunch &L, ArrayRef<AddressRange> Ranges,
                     const L2Objects &Objects, const DramTraffic &Traffic,
                     const FetchesUnderWay &UnderWay,
                     const std::map<ObjectKey, PartSectors> &Parts,
                     ExecutionProfile &Profile) {
  const auto Fresh = freshShares(L, Ranges, Profile);
  for (size_t I = 0; I < Ranges.size(); ++I) {
    const ObjectKey Key = objectOf(L.facts(), Ranges, I);
    auto It = Objects.find(Key);
    if (Ranges[I].isEmpty() || It == Objects.end())
      continue;
    const L2Object &Object = It->second;
    const uint32_t Loop = L.loopOf(I);
    auto InLoop = Object.ByLoop.find(Loop);
    if (InLoop == Object.ByLoop.end() || InLoop->second.Missed <= 0)
      continue;
    const bool IsWrite = Key.first;
    AccessProfile &A = Profile.Accesses[I];
    double Brought = Object.byLoop(Traffic.bytesOf(Key, Object)).at(Loop);
    // If the SM has just had all of them, they come from DRAM in equal parts.
    const double FreshShare = Fresh.at({Key, Loop});
    const double New =
        FreshShare > 0 ? (1 - A.AskedAgainFraction) / FreshShare : 1;
    double Dram = std::min(1.0, New * Brought / InLoop->second.Missed) *
                  (IsWrite ? Traffic.evictedShare() : 1);
    A.L2HitFraction = 1 - Dram;
    if (double Awaited = std::min(
            1.0, New * UnderWay.fraction(Key, Loop, Object.All.distinct()));
        Awaited > Dram && Object.All.Random == 0)
      A.L2WaitFraction = (Awaited - Dram) / (1 - Dram);
    if (IsWrite) {
      A.WrittenLineBytes = writtenLineBytes(Object.All, L.geometry());
      if (auto Loads = Objects.find({false, Key.second});
          Loads != Objects.end())
        A.LoadedFraction = loadedFraction(Ranges[I], Loads->second.All);
      if (auto Part = Parts.find(Key); Part != Parts.end())
        fetchRests(Part->second,
                   Object.byLoop(Object.All.distinct()).at(Loop) /
                       InLoop->second.Missed,
                   A);
    }
    if (!IsWrite)
      A.BlocksPerLine = UnderWay.blocksPerByte(Key);
    noteReuse(Object.All, A.ReuseReason);
  }
}

/// Adds to \p Lost what waves of blocks ask for again with the accesses
/// \p Uneven, whose addresses do not grow evenly with the number of the block.
static void
addLostBetweenWaves(const WalkedLaunch &L, const FetchesUnderWay &UnderWay,
                    const L2Objects &Objects, ArrayRef<ObjectKey> ObjectOf,
                    const std::vector<bool> &Uneven, LostReuse &Lost) {
  auto LostOf = [&](ObjectKey Key, double DistinctShare) {
    auto It = Objects.find(Key);
    return It == Objects.end()
               ? 0
               : UnderWay.lostBetweenWaves(Key, It->second.All, DistinctShare,
                                           L.geometry());
  };
  // Many blocks are walked for the shares: only where the largest of them would
  // lose something.
  std::vector<bool> Wanted(Uneven.size());
  std::map<ObjectKey, bool> MayLose;
  for (size_t I = 0; I < Uneven.size(); ++I) {
    if (!Uneven[I])
      continue;
    auto [Known, IsNew] = MayLose.try_emplace(ObjectOf[I]);
    if (IsNew)
      Known->second = LostOf(ObjectOf[I], 1) > 0;
    Wanted[I] = Known->second;
  }
  if (!llvm::is_contained(Wanted, true))
    return;
  const std::vector<double> Shares =
      L.distinctSharesAlong({0, L.grid().count()}, Wanted);
  std::map<ObjectKey, double> Periodic;
  for (size_t I = 0; I < Wanted.size(); ++I)
    if (Wanted[I])
      Periodic[ObjectOf[I]] = std::max(Periodic[ObjectOf[I]], Shares[I]);
  for (const auto &[Key, Share] : Periodic)
    Lost.Bytes[Key] += LostOf(Key, Share);
}

void gpuocc::estimateL2(const WalkedLaunch &L, ExecutionProfile &Profile) {
  const KernelFacts &Facts = L.facts();
  const MemoryGeometry &Geometry = L.geometry();
  const Dim3 Grid = L.grid();
  const unsigned Last = L.warpsPerBlock() - 1;
  SmallVector<unsigned, 3> Warps = {0, Last / 2, Last};
  Warps.erase(llvm::unique(Warps), Warps.end());
  // How many words atomics meet on is the sum of what the warps reach.
  const bool HasAtomics = llvm::any_of(
      Facts.Accesses, [](const MemoryAccess &A) { return isAtomic(A.Kind); });
  std::vector<AddressRange> Ranges =
      L.findRanges(L.farthestBlocks(), Warps, HasAtomics);
  const SmallVector<unsigned, 2> Roles = otherRoles(L, Profile, Warps, Ranges);
  if (!Roles.empty()) {
    append_range(Warps, Roles);
    Ranges = L.findRanges(L.farthestBlocks(), Warps, HasAtomics);
  }
  const std::vector<bool> Uneven =
      L.addBetween({0, Grid.count()}, Warps, Profile, Ranges);
  markHostMemory(L, Ranges, Profile);
  countSharedSectors(Facts, Ranges, Geometry, Profile);
  const OwnShares Own = findOwnShares(L, Ranges);
  const L2Objects Objects = findObjects(
      L, Profile, Ranges, Own, double(Grid.count()) * L.warpsPerBlock());
  double Read = 0, Written = 0;
  for (const auto &[Key, O] : Objects)
    (Key.first ? Written : Read) += O.All.distinct();
  Profile.FootprintReadBytes = Read;
  Profile.FootprintWrittenBytes = Written;
  const FetchesUnderWay UnderWay(L, Profile, Own, Ranges, Objects, Roles);
  countSectorsOfWave(Facts, UnderWay.rangesOfWave(), Geometry, Profile);
  std::vector<ObjectKey> ObjectOf;
  for (size_t I = 0; I < Ranges.size(); ++I)
    ObjectOf.push_back(objectOf(Facts, Ranges, I));
  LostReuse Lost = UnderWay.lostReuse(L, Profile, ObjectOf);
  addLostBetweenWaves(L, UnderWay, Objects, ObjectOf, Uneven, Lost);
  for (const auto &[Key, O] : Objects)
    Lost.Bytes[Key] = std::max(Lost.Bytes[Key],
                               UnderWay.lostToNextWaves(Key, O.All, Geometry));
  const DramTraffic Traffic(Objects, Geometry, Grid, Read + Written,
                            Lost.Bytes);
  fillHits(L, Ranges, Objects, Traffic, UnderWay,
           findPartSectors(L, Profile, ObjectOf, Objects, UnderWay.running()),
           Profile);
  // The simulation of L1 takes what was fetched once for fetched.
  for (size_t I = 0; I < Ranges.size(); ++I)
    for (double *Share : {&Profile.Accesses[I].FetchedAlongFraction,
                          &Profile.Accesses[I].VisitsFetchedAlongFraction})
      *Share = std::max(0.0, *Share - Lost.OfAccess[I]);
}
