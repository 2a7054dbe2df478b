//===- EstimateL2.cpp - Footprints, and hits in L2 ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockSharing.h"
#include "CacheEstimate.h"
#include "Requests.h"
#include "WarpWalker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Bytes that a byte written and a byte read take of L2 while they compete for
/// it. What was written and is still there when the kernel ends does not reach
/// DRAM in its time.
///
/// Source: written less what DRAM received, on an H200 with two halves of 30
/// MB (Nsight Compute, 2026-11-21): 29 MB of streams that only write, 21 to 26
/// of copies, 12 to 18 where two bytes are read for one written.
constexpr double RoomOfReads = 0.4;

/// The bytes that an access reaches: runs of Width at multiples of Step from
/// Low to High.
struct Range {
  uint64_t Low = ~uint64_t(0), High = 0;
  uint64_t Step = 0, Width = 1;
  bool isEmpty() const { return Low >= High; }
  auto operator<=>(const Range &) const = default;

  void add(uint64_t Address, uint64_t Bytes) {
    if (!isEmpty()) {
      const uint64_t Apart = Address > Low ? Address - Low : Low - Address;
      if (Step == 0 || Apart % Step != 0)
        Step = std::gcd(Step, Apart);
    }
    Low = std::min(Low, Address);
    High = std::max(High, Address + Bytes);
    Width = Bytes;
  }

  /// Distinct bytes of sectors.
  double bytes(unsigned SectorBytes) const {
    double All = isEmpty() ? 0 : double(High - Low);
    uint64_t Piece = (Width + SectorBytes - 1) / SectorBytes * SectorBytes;
    return Step > Piece ? (All / double(Step) + 1) * double(Piece) : All;
  }
};

class RangeFinder final : public WalkObserver {
public:
  explicit RangeFinder(const KernelFacts &Facts)
      : Ranges(Facts.Accesses.size()), Facts(Facts) {}

  std::vector<Range> Ranges;

  void onAccess(const AccessEvent &E) override {
    const MemoryAccess &M = Facts.Accesses[E.Access];
    RequestAddresses R = requestAddresses(E, M.BytesPerLane);
    if (resolvedSpace(M.Space, R) != MemorySpace::Global)
      return;
    Range &Into = Ranges[E.Access];
    for (LaneMask Lanes = R.Active; Lanes; Lanes &= Lanes - 1) {
      uint64_t A = R.Address[unsigned(std::countr_zero(Lanes))];
      // An access that reaches two objects counts for the first.
      if (!Into.isEmpty() &&
          A >> ObjectWindowLog2 != Into.Low >> ObjectWindowLog2)
        continue;
      Into.add(A, M.BytesPerLane);
    }
  }

private:
  const KernelFacts &Facts;
};

/// Accesses whose reuse is judged together.
struct Group {
  uint64_t Low = ~uint64_t(0), High = 0;
  /// Bytes of sectors asked for, and those that leave L1.
  double Asked = 0, Missed = 0;
  /// Of the missed: what loaded indices ask for, in no order.
  double Random = 0;
  /// What the accesses reach, and the sum of the distinct bytes of each.
  std::set<Range> Reached;
  double Single = 0;
  /// Of the sectors asked for, those that no other request of the block asks
  /// for, nor a block next to it; an upper bound.
  double OwnShare = 1;
  /// The first of them in the code.
  size_t FirstAccess = ~size_t(0);

  /// Bytes of the ranges, where they overlap once.
  double reachedBytes() const {
    double Sum = 0;
    uint64_t End = 0;
    for (const Range &R : Reached) {
      Sum += double(std::max(R.High, End) - std::max(R.Low, End));
      End = std::max(R.High, End);
    }
    return Sum;
  }

  /// No more than the ranges, what is asked for of them that is not shared, and
  /// what the accesses reach.
  double distinct() const {
    return High > Low ? std::min({reachedBytes(), Asked * OwnShare, Single})
                      : 0;
  }
};

/// An object (pointer argument, global variable) read or written.
struct Object {
  Group All;
  /// By innermost loop: reuse within a loop is near in time, reuse between
  /// loops is as far as their data is large.
  std::map<uint32_t, Group> ByLoop;

  /// Splits \p Bytes that the object takes from below over its loops: the
  /// first loop of the code brings what it reaches, later ones what is left;
  /// what exceeds that follows the requests.
  std::map<uint32_t, double> byLoop(double Bytes) const {
    std::vector<std::pair<size_t, uint32_t>> InOrder;
    for (const auto &[Loop, G] : ByLoop)
      InOrder.push_back({G.FirstAccess, Loop});
    llvm::sort(InOrder);
    std::map<uint32_t, double> Share;
    double Left = Bytes, Room = 0;
    for (auto [First, Loop] : InOrder) {
      const Group &G = ByLoop.at(Loop);
      double Brought = std::min({G.distinct(), G.Missed, Left});
      Share[Loop] = Brought;
      Left -= Brought;
      Room += std::max(0.0, G.Missed - Brought);
    }
    if (Left > 0 && Room > 0)
      for (auto &[Loop, Brought] : Share)
        Brought += std::max(0.0, ByLoop.at(Loop).Missed - Brought) *
                   std::min(1.0, Left / Room);
    return Share;
  }
};

} // namespace

/// The blocks whose warps reach as far as all blocks of a grid do: the corners
/// and the middle.
static std::vector<Dim3> farthestBlocks(const Slice &S, Dim3 Grid) {
  std::vector<Dim3> Blocks = {{Grid.X / 2, Grid.Y / 2, Grid.Z / 2}};
  for (unsigned Corner = 0; Corner < 8; ++Corner) {
    auto At = [&](unsigned D, uint64_t Extent) {
      return (Corner >> D) & 1 ? Extent - 1 : 0;
    };
    if (((Corner & 1) && (Grid.X == 1 || !S.UsesCtaId[0])) ||
        ((Corner & 2) && (Grid.Y == 1 || !S.UsesCtaId[1])) ||
        ((Corner & 4) && (Grid.Z == 1 || !S.UsesCtaId[2])))
      continue;
    Blocks.push_back({At(0, Grid.X), At(1, Grid.Y), At(2, Grid.Z)});
  }
  return Blocks;
}

/// The same for \p Count blocks that follow each other in the middle of the
/// grid: the first and the last, and the ends of the row between them.
static std::vector<Dim3> farthestOfWave(Dim3 Grid, uint64_t Count) {
  const uint64_t Total = Grid.count();
  const uint64_t First = (Total - Count) / 2, Last = First + Count - 1;
  auto At = [&](uint64_t Linear) {
    return Dim3{Linear % Grid.X, Linear / Grid.X % Grid.Y,
                Linear / (Grid.X * Grid.Y)};
  };
  std::vector<Dim3> Blocks = {At(First), At(Last)};
  const uint64_t RowEnd = First / Grid.X * Grid.X + Grid.X - 1;
  if (RowEnd < Last) {
    Blocks.push_back(At(RowEnd));
    Blocks.push_back(At(RowEnd + 1));
  }
  return Blocks;
}

/// What the warps \p Warps of \p Blocks reach, and, if \p WholeBlock, the other
/// warps of the first of the blocks.
static std::vector<Range>
findRanges(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
           const LanesOptions &Options, ArrayRef<Dim3> Blocks,
           ArrayRef<unsigned> Warps, bool WholeBlock = false) {
  WalkLimits Limits;
  Limits.MaxIterations = 4;
  Limits.MaxSteps = std::max<uint64_t>(1, Options.MaxSteps / 64);
  WarpWalker Walker(Facts, S, Inputs, Limits);
  RangeFinder Finder(Facts);
  for (Dim3 Block : Blocks)
    for (unsigned Warp : Warps)
      Walker.walk(Block, Warp, 1, Finder);
  for (unsigned Warp = 0; WholeBlock && Warp < Inputs.warpsPerBlock(); ++Warp)
    if (!llvm::is_contained(Warps, Warp))
      Walker.walk(Blocks.front(), Warp, 1, Finder);
  return std::move(Finder.Ranges);
}

/// Notes how many sectors the atomics of the grid meet on.
static void countAtomicSectors(const KernelFacts &Facts, ArrayRef<Range> Ranges,
                               const MemoryGeometry &Geometry,
                               ExecutionProfile &Profile) {
  for (size_t I = 0; I < Ranges.size(); ++I) {
    AccessProfile &A = Profile.Accesses[I];
    if (Ranges[I].isEmpty() || !isAtomic(Facts.Accesses[I].Kind))
      continue;
    // Loaded indices reach all places that they are drawn from.
    if (A.DrawnPlaces) {
      const uint64_t Step =
          std::max<uint64_t>(Ranges[I].Step, Facts.Accesses[I].BytesPerLane);
      A.GridSpanBytes = *A.DrawnPlaces * double(Step);
      A.GridSectors = Step > Geometry.SectorBytes
                          ? *A.DrawnPlaces
                          : std::ceil(*A.GridSpanBytes / Geometry.SectorBytes);
      continue;
    }
    A.GridSectors =
        std::ceil(Ranges[I].bytes(Geometry.SectorBytes) / Geometry.SectorBytes);
    A.GridSpanBytes = double(Ranges[I].High - Ranges[I].Low);
  }
}

/// Bytes of a line that stores to \p O fill, taken together.
static Known<double> writtenLineBytes(const Group &O,
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
static double loadedFraction(const Range &Stored, const Group &Loads) {
  if (Loads.Reached.count(Stored))
    return 1;
  uint64_t Low = std::max(Stored.Low, Loads.Low);
  uint64_t High = std::min(Stored.High, Loads.High);
  if (Low >= High)
    return 0;
  double Density = Loads.distinct() / double(Loads.High - Loads.Low);
  return Density * double(High - Low) / double(Stored.High - Stored.Low);
}

static bool isWrite(AccessKind K) { return K == AccessKind::Store; }

/// Whether an access reads or writes, and the object it reaches.
using ObjectKey = std::pair<bool, uint64_t>;

static ObjectKey keyOf(const KernelFacts &Facts, ArrayRef<Range> Ranges,
                       size_t Access) {
  return {isWrite(Facts.Accesses[Access].Kind),
          Ranges[Access].Low >> ObjectWindowLog2};
}

/// The innermost loop around an access.
static uint32_t loopOf(const KernelFacts &Facts, const Slice &S,
                       size_t Access) {
  uint32_t Op = Facts.Accesses[Access].Op;
  uint32_t Block =
      Op < Facts.Operations.size() ? Facts.Operations[Op].Block : NoIndex;
  return S.Nest.innermost(Block);
}

namespace {

/// Group::OwnShare of objects, and of the loops that reach them.
struct OwnShares {
  std::map<ObjectKey, double> OfObject;
  std::map<std::pair<ObjectKey, uint32_t>, double> OfLoop;
};

} // namespace

static OwnShares findOwnShares(const KernelFacts &Facts, const Slice &S,
                               LaunchInputs &Inputs,
                               const MemoryGeometry &Geometry,
                               const LanesOptions &Options,
                               ArrayRef<Range> Ranges) {
  std::map<ObjectKey, unsigned> Objects;
  std::map<std::pair<ObjectKey, uint32_t>, unsigned> Loops;
  AccessGroups Groups;
  Groups.OfAccess.resize(Ranges.size());
  auto Number = [&](auto &Known, auto Key) {
    auto [It, New] = Known.try_emplace(Key, Groups.Count);
    Groups.Count += New;
    return It->second;
  };
  for (size_t I = 0; I < Ranges.size(); ++I) {
    if (Ranges[I].isEmpty())
      continue;
    const ObjectKey Key = keyOf(Facts, Ranges, I);
    Groups.OfAccess[I] = {Number(Objects, Key),
                          Number(Loops, std::pair(Key, loopOf(Facts, S, I)))};
  }
  const std::vector<double> Shares =
      distinctShares(Facts, S, Inputs, Geometry, Options, Groups);
  OwnShares Own;
  for (const auto &[Key, Group] : Objects)
    Own.OfObject[Key] = Shares[Group];
  for (const auto &[Key, Group] : Loops)
    Own.OfLoop[Key] = Shares[Group];
  return Own;
}

/// The objects that \p NumWarps warps with the ranges \p Ranges reach.
/// Atomics are read and written in L2; they count with the loads.
static std::map<ObjectKey, Object>
findObjects(const KernelFacts &Facts, const Slice &S,
            const ExecutionProfile &Profile, const MemoryGeometry &Geometry,
            ArrayRef<Range> Ranges, const OwnShares &Own, double NumWarps) {
  std::map<ObjectKey, Object> Objects;
  for (size_t I = 0; I < Ranges.size(); ++I) {
    const AccessProfile &A = Profile.Accesses[I];
    if (Ranges[I].isEmpty() || A.RequestsPerWarp == 0)
      continue;
    double Asked = A.RequestsPerWarp * A.SectorsPerRequest *
                   Geometry.SectorBytes * NumWarps;
    bool Passes = Facts.Accesses[I].Kind != AccessKind::Load;
    double Missed = Passes ? Asked : Asked * (1 - A.L1HitFraction);
    const ObjectKey Key = keyOf(Facts, Ranges, I);
    const uint32_t Loop = loopOf(Facts, S, I);
    Object &O = Objects[Key];
    if (auto It = Own.OfObject.find(Key); It != Own.OfObject.end())
      O.All.OwnShare = It->second;
    if (auto It = Own.OfLoop.find({Key, Loop}); It != Own.OfLoop.end())
      O.ByLoop[Loop].OwnShare = It->second;
    for (Group *G : {&O.All, &O.ByLoop[Loop]}) {
      G->Low = std::min(G->Low, Ranges[I].Low);
      G->High = std::max(G->High, Ranges[I].High);
      if (G->Reached.insert(Ranges[I]).second)
        G->Single += std::min(Asked, Ranges[I].bytes(Geometry.SectorBytes));
      G->Asked += Asked;
      G->Missed += Missed;
      G->FirstAccess = std::min(G->FirstAccess, I);
      if (!A.IsInOrder)
        G->Random += Missed;
    }
  }
  return Objects;
}

namespace {

/// Which sectors that warps ask L2 for are on their way from DRAM. Blocks that
/// run together ask for what they share at nearly the same time, and those
/// that are ahead wait for DRAM until the others have caught up: what no
/// earlier wave of blocks has brought is awaited by all of them.
class FetchesUnderWay {
public:
  FetchesUnderWay(const KernelFacts &Facts, const Slice &S,
                  LaunchInputs &Inputs, const MemoryGeometry &Geometry,
                  const LanesOptions &Options, const ExecutionProfile &Profile,
                  const OwnShares &Own,
                  const std::map<ObjectKey, Object> &OfGrid) {
    const Dim3 Grid = Inputs.grid();
    const uint64_t Total = Grid.count();
    const uint64_t Wave = std::clamp<uint64_t>(
        uint64_t(Geometry.SmCount) * Geometry.ResidentBlocksPerSm, 1, Total);
    Waves = double(Total) / double(Wave);
    const unsigned Last = Inputs.warpsPerBlock() - 1;
    auto Find = [&](ArrayRef<Dim3> Blocks, ArrayRef<unsigned> Warps,
                    const OwnShares &Shares, double NumWarps) {
      return findObjects(Facts, S, Profile, Geometry,
                         findRanges(Facts, S, Inputs, Options, Blocks, Warps),
                         Shares, NumWarps);
    };
    OfWave = Waves > 1 ? Find(farthestOfWave(Grid, Wave), {0u, Last}, Own,
                              double(Wave) * Inputs.warpsPerBlock())
                       : OfGrid;
    OfWarp = Find({{Grid.X / 2, Grid.Y / 2, Grid.Z / 2}}, {Last / 2},
                  OwnShares(), 1);
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
           shareBrought(Wave->second, Loop, &Group::distinct) *
           shareBrought(Warp->second, Loop,
                        [](const Group &G) { return G.Missed; });
  }

private:
  double newToWave(const Object &OfOne, double Distinct) const {
    double InOne = OfOne.All.distinct();
    return InOne > 0 ? std::min(1.0, Distinct / (Waves * InOne)) : 0;
  }

  /// What \p Loop brings of an object, as a share of what \p Measure says of
  /// the loop.
  template <typename MeasureT>
  static double shareBrought(const Object &O, uint32_t Loop, MeasureT Measure) {
    auto InLoop = O.ByLoop.find(Loop);
    if (InLoop == O.ByLoop.end())
      return 0;
    double Of = std::invoke(Measure, InLoop->second);
    double Brought = O.byLoop(O.All.distinct()).at(Loop);
    return Of > 0 ? std::min(1.0, Brought / Of) : 0;
  }

  double Waves = 1;
  std::map<ObjectKey, Object> OfWave, OfWarp;
};

} // namespace

void gpuocc::estimateL2(const KernelFacts &Facts, const Slice &S,
                        LaunchInputs &Inputs, const MemoryGeometry &Geometry,
                        const LanesOptions &Options,
                        ExecutionProfile &Profile) {
  const unsigned Last = Inputs.warpsPerBlock() - 1;
  SmallVector<unsigned, 3> Warps = {0, Last / 2, Last};
  Warps.erase(llvm::unique(Warps), Warps.end());
  // How many words atomics meet on is the sum of what the warps reach.
  const bool HasAtomics = llvm::any_of(
      Facts.Accesses, [](const MemoryAccess &A) { return isAtomic(A.Kind); });
  std::vector<Range> Ranges =
      findRanges(Facts, S, Inputs, Options, farthestBlocks(S, Inputs.grid()),
                 Warps, HasAtomics);
  countAtomicSectors(Facts, Ranges, Geometry, Profile);
  const OwnShares Own =
      findOwnShares(Facts, S, Inputs, Geometry, Options, Ranges);
  std::map<ObjectKey, Object> Objects =
      findObjects(Facts, S, Profile, Geometry, Ranges, Own,
                  double(Inputs.grid().count()) * Inputs.warpsPerBlock());
  double Read = 0, Written = 0;
  for (const auto &[Key, O] : Objects)
    (Key.first ? Written : Read) += O.All.distinct();
  Profile.FootprintReadBytes = Read;
  Profile.FootprintWrittenBytes = Written;

  const double L2 = double(Geometry.L2Bytes);
  // A thread finds again what it touched in an earlier loop if the blocks that
  // run with it have not filled L2 meanwhile.
  const double AtOnce =
      std::min(1.0, double(Geometry.SmCount) * Geometry.ResidentBlocksPerSm /
                        double(Inputs.grid().count()));
  const bool Fits = (Read + Written) * AtOnce <= L2;
  // Bytes that go to DRAM for an object.
  auto ThroughL2 = [&](const Object &O) {
    double Bytes = O.All.distinct();
    if (!Fits) {
      double PerLoop = 0;
      for (const auto &[Loop, G] : O.ByLoop)
        PerLoop += G.distinct();
      Bytes = std::max(Bytes, PerLoop);
    }
    // In no order, a byte is found again if what L2 holds of the object has it.
    double Held = L2 / Geometry.L2Partitions;
    if (double Distinct = O.All.distinct(); Distinct > Held)
      Bytes += std::max(0.0, O.All.Random - Distinct) * (1 - Held / Distinct);
    return std::min(Bytes, O.All.Missed);
  };
  double Stored = 0;
  for (const auto &[Key, O] : Objects)
    Stored += Key.first ? ThroughL2(O) : 0;
  double Loaded = 0;
  for (const auto &[Key, O] : Objects)
    Loaded += Key.first ? 0 : ThroughL2(O);
  const double Dirty = Stored > 0 ? L2 / Geometry.L2Partitions * Stored /
                                        (Stored + RoomOfReads * Loaded)
                                  : 0;
  const double Evicted = Stored > 0 ? std::max(0.0, 1 - Dirty / Stored) : 1;
  const FetchesUnderWay UnderWay(Facts, S, Inputs, Geometry, Options, Profile,
                                 Own, Objects);
  for (size_t I = 0; I < Ranges.size(); ++I) {
    const ObjectKey Key = keyOf(Facts, Ranges, I);
    auto It = Objects.find(Key);
    if (Ranges[I].isEmpty() || It == Objects.end())
      continue;
    const Group &All = It->second.All;
    const uint32_t Loop = loopOf(Facts, S, I);
    auto InLoop = It->second.ByLoop.find(Loop);
    if (InLoop == It->second.ByLoop.end() || InLoop->second.Missed <= 0)
      continue;
    AccessProfile &A = Profile.Accesses[I];
    double Brought = It->second.byLoop(ThroughL2(It->second)).at(Loop);
    double Dram = std::min(1.0, Brought / InLoop->second.Missed) *
                  (Key.first ? Evicted : 1);
    A.L2HitFraction = 1 - Dram;
    if (double Awaited = UnderWay.fraction(Key, Loop, All.distinct());
        Awaited > Dram && All.Random == 0)
      A.L2WaitFraction = (Awaited - Dram) / (1 - Dram);
    if (Key.first) {
      A.WrittenLineBytes = writtenLineBytes(All, Geometry);
      if (auto Loads = Objects.find({false, Key.second});
          Loads != Objects.end())
        A.LoadedFraction = loadedFraction(Ranges[I], Loads->second.All);
    }
    raw_string_ostream OS(A.ReuseReason);
    OS << (A.ReuseReason.empty() ? "" : "; ");
    OS << format("%.3g MB distinct of %.3g MB at L2", All.distinct() / 1e6,
                 All.Missed / 1e6);
  }
}
