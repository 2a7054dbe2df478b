//===- EstimateL1.cpp - Simulate the L1 of one SM -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheEstimate.h"
#include "L1Cache.h"
#include "Recorder.h"
#include "WarpWalker.h"
#include "gpuocc/Kernel/MemoryOrder.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

namespace {

/// One request in a trace: lines Touches[First, First + Count).
struct TraceEvent {
  uint32_t Access = 0;
  uint32_t First = 0, Count = 0;
  double Weight = 1;
};

/// The stored sectors of one access, and those that leave together with what
/// an earlier store put there.
struct StoredSectors {
  double All = 0, Merged = 0;
};

/// The lines of the stores of a warp that L1 has not passed on yet. How many it
/// still has when the next store comes depends on what other warps do: where
/// warps have waited for loads, their stores come apart from those of others.
///
/// Source: H200, K floats of records of S floats, stored one after the other
/// (Nsight Compute, sectors of writes, 2026-11-21). Three stores to 3 lines
/// arrive as 13.2 sectors of 36, with 32 cycles between them as 17.6, with 256
/// as 33.7. Stores to 4, 5 and 6 lines merge by half, to 7 and more by less (8
/// lines: 122 of 128). Of records of 7 lines that are loaded, changed and
/// stored 48 of 84 sectors leave; after one load of the record it is 12, 16,
/// 20, 25, 37, 52, 67, 84 and 96 sectors for 3, 4, 5, 6, 7, 8, 12, 16 and 32
/// lines, of which 12 to 32 are written.
class PendingStores {
public:
  explicit PendingStores(std::vector<StoredSectors> &Totals) : Totals(Totals) {}

  /// The warp stores \p Touches. Only those of one pass through the accesses of
  /// a \p Group are in a row.
  void store(uint32_t Access, ArrayRef<LineTouch> Touches, double Weight,
             unsigned Group) {
    if (Group != CurrentGroup || llvm::is_contained(Passed, Access)) {
      Lines.clear();
      Passed.clear();
    }
    CurrentGroup = Group;
    Passed.push_back(Access);
    for (const LineTouch &T : Touches) {
      Totals[Access].All += Weight * std::popcount(T.Sectors);
      auto It =
          find_if(Lines, [&](const Pending &P) { return P.Line == T.Line; });
      if (It == Lines.end()) {
        if (Lines.size() == MostLines)
          Lines.erase(Lines.begin());
        Lines.push_back({T.Line, T.Sectors});
        continue;
      }
      Totals[Access].Merged +=
          Weight * kept() * std::popcount(uint8_t(T.Sectors & It->Sectors));
      It->Sectors |= T.Sectors;
    }
  }
  void load() { HasLoaded = true; }
  void clear() {
    Lines.clear();
    Passed.clear();
    HasLoaded = false;
  }

private:
  /// Share of the pending lines that are still there.
  double kept() const {
    const double N = double(Lines.size());
    if (N <= 3)
      return 1;
    if (HasLoaded)
      return std::max(0.0, 1 - (N - 3) / 12);
    return N <= 6 ? 0.5 : 0;
  }

  static constexpr size_t MostLines = 16;
  struct Pending {
    uint64_t Line = 0;
    uint8_t Sectors = 0;
  };
  SmallVector<Pending, MostLines> Lines;
  unsigned CurrentGroup = 0;
  /// Accesses of the group that have stored in this pass.
  SmallVector<uint32_t, 8> Passed;
  bool HasLoaded = false;
  std::vector<StoredSectors> &Totals;
};

/// The cached requests of one warp in program order.
struct WarpTrace {
  std::vector<TraceEvent> Events;
  std::vector<LineTouch> Touches;
};

bool isCachedSpace(MemorySpace S) {
  return S == MemorySpace::Global || S == MemorySpace::Generic ||
         S == MemorySpace::Local || S == MemorySpace::Texture;
}

/// Writes down the lines that a warp touches.
class Tracer final : public WalkObserver {
public:
  Tracer(const KernelFacts &Facts, const MemoryGeometry &G)
      : Facts(Facts), G(G),
        SectorsPerLine(std::max(1u, G.LineBytes / std::max(1u, G.SectorBytes))),
        Groups(groupsIssuedTogether(Facts)), Together(sizesOfGroups(Groups)),
        Stored(Facts.Accesses.size()), Stores(Stored) {}

  /// For each access the number of requests of the warp that can be issued
  /// with it.
  ArrayRef<unsigned> together() const { return Together; }
  /// Of all traces so far.
  ArrayRef<StoredSectors> stored() const { return Stored; }

  WarpTrace take() { return std::move(Trace); }
  void begin(uint64_t Key) {
    WarpKey = Key;
    Trace = WarpTrace();
    Stores.clear();
  }

  void onBlock(uint32_t, LaneMask, double) override {}
  void onBranch(const BranchEvent &) override {}
  void onLoop(const LoopEvent &) override {}
  void onAccess(const AccessEvent &E) override {
    const MemoryAccess &M = Facts.Accesses[E.Access];
    if (!E.Active || isAtomic(M.Kind) || !isCachedSpace(M.Space))
      return;
    RequestAddresses R = requestAddresses(E, M.BytesPerLane);
    MemorySpace Space = resolvedSpace(M.Space, R);
    TraceEvent Event;
    Event.Access = E.Access;
    Event.First = uint32_t(Trace.Touches.size());
    Event.Weight = E.Weight;
    if (Space == MemorySpace::Local) {
      // Each warp has local memory of its own.
      for (RequestAddresses &Word : localRequests(R)) {
        for (uint64_t &A : Word.Address)
          A = (A & lowBits(ObjectWindowLog2)) + (WarpKey << ObjectWindowLog2);
        add(Word);
      }
    } else if (Space != MemorySpace::Shared) {
      add(R);
    }
    Event.Count = uint32_t(Trace.Touches.size()) - Event.First;
    if (!Event.Count)
      return;
    if (M.Kind == AccessKind::Load)
      Stores.load();
    if (M.Kind == AccessKind::Store && Space != MemorySpace::Local)
      Stores.store(E.Access,
                   ArrayRef(Trace.Touches).slice(Event.First, Event.Count),
                   Event.Weight, Groups[E.Access]);
    Trace.Events.push_back(Event);
  }

private:
  void add(const RequestAddresses &R) {
    SmallVector<std::pair<uint64_t, unsigned>, 64> Sectors;
    const unsigned Shift = unsigned(std::countr_zero(G.SectorBytes));
    for (LaneMask M = R.Active; M; M &= M - 1) {
      uint64_t A = R.Address[unsigned(std::countr_zero(M))];
      uint64_t Last = (A + R.BytesPerLane - 1) >> Shift;
      for (uint64_t S = A >> Shift; S <= Last; ++S)
        if (!Sectors.empty() && Sectors.back().first == S)
          Sectors.back().second += R.BytesPerLane;
        else
          Sectors.push_back({S, R.BytesPerLane});
    }
    std::sort(Sectors.begin(), Sectors.end());
    const size_t First = Trace.Touches.size();
    for (auto [Sector, Bytes] : Sectors) {
      uint64_t Line = Sector / SectorsPerLine;
      uint8_t Bit = uint8_t(1u << (Sector % SectorsPerLine));
      if (Trace.Touches.size() == First || Trace.Touches.back().Line != Line)
        Trace.Touches.push_back({Line, 0, 0});
      Trace.Touches.back().Sectors |= Bit;
      if (Bytes >= G.SectorBytes)
        Trace.Touches.back().Whole |= Bit;
    }
  }

  const KernelFacts &Facts;
  const MemoryGeometry &G;
  const unsigned SectorsPerLine;
  const std::vector<unsigned> Groups, Together;
  std::vector<StoredSectors> Stored;
  PendingStores Stores;
  uint64_t WarpKey = 0;
  WarpTrace Trace;
};

/// Weighted sectors of one access, and where the hits came from.
struct HitCount {
  double Sectors = 0, SameWarp = 0, SameBlock = 0, OtherBlock = 0;
  /// Requests, and those with a miss or a hit on a fetch under way.
  double Requests = 0, Waiting = 0;
  /// Of the waiting ones, those for which L2 has everything since neighbours
  /// were fetched.
  double FetchedAlong = 0;
  /// Lines of requests, visits of L2 to them, and those of the visits for which
  /// L2 has everything since neighbours were fetched.
  double Lines = 0, Visits = 0, VisitsFetchedAlong = 0;
  double hits() const { return SameWarp + SameBlock + OtherBlock; }
};

/// How much of an SM is simulated.
struct Extent {
  uint64_t Blocks = 1;
  unsigned Warps = 1;
  unsigned Iterations = 8;
  /// Evaluated operations per warp.
  uint64_t MaxSteps = 1;
};

/// Which parts of lines the SM has made L2 fetch from DRAM, and when.
class DramFetches {
public:
  explicit DramFetches(const MemoryGeometry &G)
      : SectorsPerFetch(std::clamp(G.DramFetchBytes / G.SectorBytes, 1u,
                                   MaxSectorsPerLine)) {}

  /// The missing \p Sectors of \p Line are asked for in turn \p Turn: true if
  /// all come from fetches at least \p Together turns ago.
  bool ask(uint64_t Line, uint8_t Sectors, uint64_t Turn, unsigned Together) {
    Fetched &F = Lines[Line];
    bool All = true;
    for (unsigned First = 0; First < MaxSectorsPerLine;
         First += SectorsPerFetch) {
      unsigned Mask = ((1u << SectorsPerFetch) - 1) << First;
      if (!(Sectors & Mask))
        continue;
      if (!(F.Known & (1u << First))) {
        F.Known |= uint8_t(1u << First);
        F.At[First] = uint32_t(Turn);
        All = false;
      } else {
        All &= uint32_t(Turn) - F.At[First] >= Together;
      }
    }
    return F.LastWasThere = All;
  }

  /// What ask said last of \p Line.
  bool lastWasThere(uint64_t Line) const {
    auto It = Lines.find(Line);
    return It != Lines.end() && It->second.LastWasThere;
  }

private:
  static constexpr unsigned MaxSectorsPerLine = 8;
  struct Fetched {
    uint32_t At[MaxSectorsPerLine] = {};
    uint8_t Known = 0;
    bool LastWasThere = false;
  };
  const unsigned SectorsPerFetch;
  DenseMap<uint64_t, Fetched> Lines;
};

class Simulation {
public:
  Simulation(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
             const MemoryGeometry &G, const LanesOptions &Options)
      : Facts(Facts), S(S), Inputs(Inputs), G(G), Trace(Facts, G), Fetches(G),
        Total(Inputs.grid().count()),
        Resident(std::clamp<uint64_t>((Total + G.SmCount - 1) /
                                          std::max(1u, G.SmCount),
                                      1, std::max(1u, G.ResidentBlocksPerSm))),
        Budget(std::max<uint64_t>(1000, Options.MaxSteps)) {}

  /// Of the sectors that \p Access stores, the fraction that leaves L1 together
  /// with what was stored before.
  double mergedFraction(size_t Access) const {
    const StoredSectors &S = Trace.stored()[Access];
    return S.All > 0 ? S.Merged / S.All : 0;
  }

  std::vector<HitCount> run() {
    Extent E = chooseExtent();
    L1Cache Cache = cacheFor(E);
    std::vector<HitCount> Hits(Facts.Accesses.size());
    double Waves = double(Total) / (double(Resident) * G.SmCount);
    // Blocks that the SM gets later find what earlier ones left.
    runGeneration(0, E, 1, Cache, Hits);
    if (Waves > 1)
      runGeneration(1, E, Waves - 1, Cache, Hits);
    return Hits;
  }

  /// The same for the first and the last block of the grid, which may go ways
  /// of their own (the block that sums up what all others have left).
  std::vector<HitCount> runEnds() {
    Extent E = chooseExtent();
    E.Blocks = 1;
    E.MaxSteps = Budget / E.Warps;
    L1Cache Cache = cacheFor(E);
    std::vector<HitCount> Hits(Facts.Accesses.size());
    const Dim3 Grid = Inputs.grid();
    runBlocks({{0, 0, 0}}, 0, E, 1, Cache, Hits);
    if (Total > 1)
      runBlocks({{Grid.X - 1, Grid.Y - 1, Grid.Z - 1}}, 1, E, 1, Cache, Hits);
    return Hits;
  }

private:
  /// Block number \p K of the SM that is simulated: blocks go round the SMs,
  /// but not so regularly that all have the same low bits.
  Dim3 blockOnSm(uint64_t K) const {
    uint64_t Sm = G.SmCount | 1;
    uint64_t Last = Sm * (2 * Resident);
    uint64_t First = Total > Last ? (Total - Last) / 2 : 0;
    uint64_t Linear = std::min(First + Sm / 2 % Total + K * Sm, Total - 1);
    Dim3 Grid = Inputs.grid();
    return {Linear % Grid.X, Linear / Grid.X % Grid.Y,
            Linear / (Grid.X * Grid.Y)};
  }

  WarpTrace traceWarp(Dim3 Block, unsigned Warp, unsigned Iterations,
                      uint64_t MaxSteps, uint64_t Key) {
    WalkLimits Limits;
    Limits.MaxIterations = Iterations;
    Limits.Consecutive = true;
    Limits.MaxSteps = std::max<uint64_t>(1, MaxSteps);
    Limits.Memory = &Memory;
    WarpWalker Walker(Facts, S, Inputs, Limits);
    Trace.begin(Key);
    Walker.walk(Block, Warp, 1, Trace);
    LastSteps = Walker.steps();
    return Trace.take();
  }

  Extent chooseExtent() {
    Extent E;
    unsigned Warps = Inputs.warpsPerBlock();
    WarpTrace Probe = traceWarp(blockOnSm(0), 0, E.Iterations, Budget / 16, 1);
    uint64_t PerWarp = std::max<uint64_t>(
        1, Probe.Touches.size() + 4 * Probe.Events.size() + LastSteps / 2);
    uint64_t Affordable = std::max<uint64_t>(1, Budget / PerWarp);
    uint64_t Generations = Total > Resident * G.SmCount ? 2 : 1;
    E.Blocks =
        std::clamp<uint64_t>(Affordable / Generations / Warps, 1, Resident);
    E.Warps =
        unsigned(std::clamp<uint64_t>(Affordable / Generations, 1, Warps));
    // Longer loops are worth less than more warps.
    uint64_t Spare = Affordable / 4 /
                     std::max<uint64_t>(1, E.Blocks * Generations * E.Warps);
    E.Iterations =
        unsigned(std::clamp<uint64_t>(E.Iterations * Spare, E.Iterations, 64));
    E.MaxSteps = Budget * 2 / (E.Blocks * Generations * E.Warps);
    return E;
  }

  /// The part of L1 that is left to the simulated part of the SM.
  L1Cache cacheFor(const Extent &E) const {
    uint64_t SharedBytes =
        (Facts.StaticSharedBytes + Inputs.dynamicSharedBytes()) * Resident;
    uint64_t Bytes = G.L1Bytes - std::min(G.L1Bytes, SharedBytes);
    double Share =
        double(E.Blocks) / double(Resident) * E.Warps / Inputs.warpsPerBlock();
    return L1Cache(uint64_t(double(Bytes) / G.LineBytes * Share));
  }

  void runGeneration(uint64_t Generation, const Extent &E, double Weight,
                     L1Cache &Cache, std::vector<HitCount> &Hits) {
    const uint64_t First = Generation * Resident;
    std::vector<Dim3> Blocks;
    for (uint64_t B = 0; B < E.Blocks; ++B)
      Blocks.push_back(blockOnSm(uint32_t(First + B)));
    runBlocks(Blocks, First, E, Weight, Cache, Hits);
  }

  /// \p Blocks run together; the first has number \p FirstNumber.
  void runBlocks(ArrayRef<Dim3> Blocks, uint64_t FirstNumber, const Extent &E,
                 double Weight, L1Cache &Cache, std::vector<HitCount> &Hits) {
    struct Running {
      WarpTrace Trace;
      Toucher Who;
      size_t Next = 0;
      /// Weight of the last request, and lines that the iterations it stood
      /// for would have fetched.
      double LastWeight = 1, Unseen = 0;
    };
    std::vector<Running> Warps;
    for (size_t B = 0; B < Blocks.size(); ++B)
      for (unsigned W = 0; W < E.Warps; ++W) {
        uint32_t Block = uint32_t(FirstNumber + B);
        uint64_t Key = 1 + Block * uint64_t(Inputs.warpsPerBlock()) + W;
        Warps.push_back({traceWarp(Blocks[B], W, E.Iterations, E.MaxSteps, Key),
                         {Block, W},
                         0});
      }
    uint64_t Turn = 0;
    for (bool Any = true; Any; ++Turn) {
      Any = false;
      for (Running &R : Warps) {
        if (R.Next == R.Trace.Events.size())
          continue;
        Any = true;
        const TraceEvent &Event = R.Trace.Events[R.Next++];
        const MemoryAccess &M = Facts.Accesses[Event.Access];
        HitCount &Count = Hits[Event.Access];
        double Each = Weight * Event.Weight;
        // Behind a shortened loop, what was left out has passed through L1.
        if (Event.Weight < R.LastWeight && R.Unseen >= 1) {
          Cache.age(uint64_t(R.Unseen));
          R.Unseen = 0;
        }
        R.LastWeight = Event.Weight;
        bool Waits = false, FetchedAlong = true;
        for (uint32_t I = 0; I < Event.Count; ++I) {
          const LineTouch &T = R.Trace.Touches[Event.First + I];
          bool IsStore = M.Kind == AccessKind::Store;
          TouchResult Found = Cache.touch(T, IsStore, R.Who, Turn);
          Count.Sectors += Each * std::popcount(T.Sectors);
          R.Unseen += Found.IsNew ? Event.Weight - 1 : 0;
          bool Misses = Found.HitSectors != T.Sectors;
          unsigned Together = Trace.together()[Event.Access];
          bool LineFetchedAlong = false;
          if (Misses || Turn - Found.FetchedAt < Together) {
            Waits = true;
            LineFetchedAlong =
                Misses && !IsStore
                    ? Fetches.ask(T.Line, T.Sectors & ~Found.HitSectors, Turn,
                                  Together)
                    : Fetches.lastWasThere(T.Line);
            FetchedAlong &= LineFetchedAlong;
          }
          Count.Lines += Each;
          if (Found.IsNew ||
              ((Misses || IsStore) && Turn - Found.VisitedAt >= Together)) {
            Count.Visits += Each;
            Count.VisitsFetchedAlong += LineFetchedAlong ? Each : 0;
          }
          double Hit = Each * std::popcount(Found.HitSectors);
          if (Hit == 0)
            continue;
          if (Found.Before.Block != R.Who.Block)
            Count.OtherBlock += Hit;
          else if (Found.Before.Warp != R.Who.Warp)
            Count.SameBlock += Hit;
          else
            Count.SameWarp += Hit;
        }
        Count.Requests += Each;
        if (Waits) {
          Count.Waiting += Each;
          Count.FetchedAlong += FetchedAlong ? Each : 0;
        }
      }
    }
    for (const Running &R : Warps)
      Cache.age(uint64_t(R.Unseen));
  }

  const KernelFacts &Facts;
  const Slice &S;
  LaunchInputs &Inputs;
  const MemoryGeometry &G;
  Tracer Trace;
  DramFetches Fetches;
  const uint64_t Total, Resident, Budget;
  uint64_t LastSteps = 0;
  WalkMemory Memory;
};

} // namespace

/// Where most of the hits come from.
static std::string reuseText(const HitCount &Count) {
  double Hits = Count.hits();
  if (Count.Sectors == 0)
    return "";
  std::string Text;
  raw_string_ostream OS(Text);
  if (Hits < 0.005 * Count.Sectors) {
    OS << "no sector is touched again while it is in L1";
    return Text;
  }
  OS << format("%.0f %% of the sectors are in L1, left there mostly by ",
               100 * Hits / Count.Sectors);
  if (Count.SameWarp >= Count.SameBlock && Count.SameWarp >= Count.OtherBlock)
    OS << "the warp itself";
  else if (Count.SameBlock >= Count.OtherBlock)
    OS << "other warps of the block";
  else
    OS << "other blocks on the SM";
  return Text;
}

void gpuocc::estimateL1(const KernelFacts &Facts, const Slice &S,
                        LaunchInputs &Inputs, const MemoryGeometry &Geometry,
                        const LanesOptions &Options,
                        ExecutionProfile &Profile) {
  auto IsTraced = [&](const MemoryAccess &A) {
    return isCachedSpace(A.Space) && !isAtomic(A.Kind);
  };
  if (std::none_of(Facts.Accesses.begin(), Facts.Accesses.end(), IsTraced))
    return;
  if (Geometry.L1Bytes == 0) {
    for (size_t I = 0; I < Facts.Accesses.size(); ++I)
      if (IsTraced(Facts.Accesses[I]))
        Profile.Accesses[I].ReuseReason = "the size of L1 is not known";
    return;
  }
  Simulation Sm(Facts, S, Inputs, Geometry, Options);
  std::vector<HitCount> Hits = Sm.run();
  auto IsMissed = [&](size_t I) {
    return Hits[I].Sectors == 0 && IsTraced(Facts.Accesses[I]) &&
           Profile.Accesses[I].RequestsPerWarp > 0;
  };
  bool SomeMissed = false;
  for (size_t I = 0; I < Hits.size(); ++I)
    SomeMissed |= IsMissed(I);
  if (SomeMissed) {
    const std::vector<HitCount> OfEnds = Sm.runEnds();
    for (size_t I = 0; I < Hits.size(); ++I)
      if (IsMissed(I))
        Hits[I] = OfEnds[I];
  }
  for (size_t I = 0; I < Hits.size(); ++I) {
    if (Hits[I].Sectors == 0)
      continue;
    AccessProfile &A = Profile.Accesses[I];
    A.L1HitFraction = Hits[I].hits() / Hits[I].Sectors;
    A.L1WaitFraction = Hits[I].Waiting / Hits[I].Requests;
    if (Hits[I].Waiting > 0)
      A.FetchedAlongFraction = Hits[I].FetchedAlong / Hits[I].Waiting;
    A.LineVisitFraction = Hits[I].Visits / Hits[I].Lines;
    if (Hits[I].Visits > 0)
      A.VisitsFetchedAlongFraction =
          Hits[I].VisitsFetchedAlong / Hits[I].Visits;
    A.MergedStoreFraction = Sm.mergedFraction(I);
    A.ReuseReason = reuseText(Hits[I]);
  }
}
