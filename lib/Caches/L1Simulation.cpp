//===- L1Simulation.cpp - Warps of an SM take turns at L1 -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L1Simulation.h"
#include "gpuocc/Kernel/Extents.h"
#include "gpuocc/Kernel/MemoryOrder.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <bit>
#include <map>

using namespace gpuocc;
using namespace llvm;

L1Simulation::L1Simulation(const WalkedLaunch &Launch)
    : Launch(Launch), Facts(Launch.facts()), G(Launch.geometry()),
      Groups(groupsIssuedTogether(Facts)),
      GroupSizes(sizesOfGroups(
          Groups, [&](size_t I) { return isTraced(Facts.Accesses[I]); })),
      Traces(Launch), Stored(Facts.Accesses.size()),
      StoredInTurns(Facts.Accesses.size()), Stores(Stored),
      OfBlocks(StoredInTurns), Fetches(G), Total(Launch.grid().count()),
      Resident(std::clamp<uint64_t>((Total + G.SmCount - 1) /
                                        std::max(1u, G.SmCount),
                                    1, std::max(1u, G.ResidentBlocksPerSm))),
      Budget(std::max<uint64_t>(1000, Launch.options().MaxSteps)),
      FirstTurn(Facts.Accesses.size()) {}

double L1Simulation::mergedFraction(size_t Access) const {
  auto Share = [](const StoredSectors &Of) {
    return Of.All > 0 ? Of.Merged / Of.All : 0;
  };
  return 1 - (1 - Share(Stored[Access])) * (1 - Share(StoredInTurns[Access]));
}

std::vector<HitCount> L1Simulation::run() {
  Extent E = chooseExtent();
  L1Cache Cache = cacheFor(E);
  std::vector<HitCount> Hits(Facts.Accesses.size());
  double Waves = double(Total) / (double(Resident) * G.SmCount);
  runGeneration(0, E, 1, Cache, Hits);
  if (Waves > 1)
    runGeneration(1, E, Waves - 1, Cache, Hits);
  return Hits;
}

std::vector<HitCount> L1Simulation::runEnds() {
  Extent E = chooseExtent();
  E.Blocks = 1;
  E.MaxSteps = Budget / E.Warps;
  L1Cache Cache = cacheFor(E);
  std::vector<HitCount> Hits(Facts.Accesses.size());
  const Dim3 Grid = Launch.grid();
  runBlocks({{0, 0, 0}}, 0, E, 1, Cache, Hits);
  if (Total > 1)
    runBlocks({{Grid.X - 1, Grid.Y - 1, Grid.Z - 1}}, 1, E, 1, Cache, Hits);
  return Hits;
}

/// Blocks that are simulated each by itself: as many as a launch of some SMs
/// has.
static constexpr size_t MostBlocksApart = 64;

std::vector<HitCount> L1Simulation::runWatched() {
  const SeenReads *Seen = Launch.options().Seen.get();
  if (!Seen)
    return std::vector<HitCount>(Facts.Accesses.size());
  const ArrayRef<uint64_t> Numbers = Seen->numbers();
  const size_t Count = std::min(MostBlocksApart, Numbers.size());
  std::vector<Dim3> Blocks;
  for (size_t I = 0; I != Count; ++I)
    if (const uint64_t Number = Numbers[I * Numbers.size() / Count];
        Number < Total)
      Blocks.push_back(blockAt(Launch.grid(), Number));
  return runApart(Blocks);
}

std::vector<HitCount> L1Simulation::runApart(ArrayRef<Dim3> Blocks) {
  std::vector<HitCount> Hits(Facts.Accesses.size());
  if (Blocks.empty())
    return Hits;
  Extent E = chooseExtent();
  E.Blocks = 1;
  E.Warps = Launch.warpsPerBlock();
  E.MaxSteps = std::max<uint64_t>(1, Budget / (E.Warps * MostBlocksApart));
  for (auto [I, Block] : enumerate(Blocks.take_front(MostBlocksApart))) {
    L1Cache Cache = cacheFor(E);
    runBlocks({Block}, I, E, 1, Cache, Hits);
  }
  return Hits;
}

/// Block number \p K of the SM that is simulated: blocks go round the SMs,
/// but not so regularly that all have the same low bits.
Dim3 L1Simulation::blockOnSm(uint64_t K) const {
  uint64_t Sm = G.SmCount | 1;
  uint64_t Last = Sm * (2 * Resident);
  uint64_t First = Total > Last ? (Total - Last) / 2 : 0;
  uint64_t Linear = std::min(First + Sm / 2 % Total + K * Sm, Total - 1);
  return blockAt(Launch.grid(), Linear);
}

WarpTrace L1Simulation::traceWarp(Dim3 Block, unsigned Warp,
                                  unsigned Iterations, uint64_t MaxSteps,
                                  uint64_t Key, unsigned Stretches) {
  WarpTrace Trace =
      Traces.trace(Block, Warp, Iterations, MaxSteps, Key, Stretches);
  passStores(Trace);
  return Trace;
}

void L1Simulation::passStores(const WarpTrace &Trace) {
  Stores.clear();
  for (const TraceEvent &E : Trace.Events) {
    const AccessKind Kind = Facts.Accesses[E.Access].Kind;
    if (Kind == AccessKind::Load)
      Stores.load();
    if (Kind == AccessKind::Store && !E.IsLocal)
      Stores.store(E.Access, ArrayRef(Trace.Touches).slice(E.First, E.Count),
                   E.Weight, Groups[E.Access]);
  }
}

/// A loop that is not walked to its end is told by its last iterations, which
/// have to be those of whole sectors.
unsigned L1Simulation::iterationsOfSectors() {
  constexpr unsigned Fewest = 8, Most = 64;
  // What it stores is not counted.
  const WarpTrace Probe = Traces.trace(blockOnSm(0), 0, Most, Budget / 16, 1);
  struct Walked {
    unsigned Requests = 0, NewSectors = 0;
    ArrayRef<LineTouch> Last;
  };
  std::vector<Walked> OfAccess(Facts.Accesses.size());
  for (const TraceEvent &E : Probe.Events) {
    Walked &W = OfAccess[E.Access];
    const ArrayRef Touches = ArrayRef(Probe.Touches).slice(E.First, E.Count);
    ++W.Requests;
    W.NewSectors +=
        !std::equal(W.Last.begin(), W.Last.end(), Touches.begin(),
                    Touches.end(), [](const LineTouch &A, const LineTouch &B) {
                      return A.Line == B.Line && A.Sectors == B.Sectors;
                    });
    W.Last = Touches;
  }
  unsigned Longest = 1;
  for (const Walked &W : OfAccess)
    if (W.NewSectors > 1)
      Longest = std::max(Longest, W.Requests / W.NewSectors);
  return std::clamp(2 * std::bit_ceil(Longest), Fewest, Most);
}

L1Simulation::Extent L1Simulation::chooseExtent() {
  Extent E;
  if (!LoopIterations)
    LoopIterations = iterationsOfSectors();
  E.Iterations = *LoopIterations;
  unsigned Warps = Launch.warpsPerBlock();
  WarpTrace Probe = traceWarp(blockOnSm(0), 0, E.Iterations, Budget / 16, 1,
                              /*Stretches=*/1);
  uint64_t PerWarp =
      std::max<uint64_t>(1, Probe.Touches.size() + 4 * Probe.Events.size() +
                                Traces.lastSteps() / 2);
  uint64_t Affordable = std::max<uint64_t>(1, Budget / PerWarp);
  uint64_t Generations = Total > Resident * G.SmCount ? 2 : 1;
  E.Blocks =
      std::clamp<uint64_t>(Affordable / Generations / Warps, 1, Resident);
  E.Warps = unsigned(std::clamp<uint64_t>(Affordable / Generations, 1, Warps));
  // Longer loops are worth less than more warps.
  uint64_t Spare =
      Affordable / 4 / std::max<uint64_t>(1, E.Blocks * Generations * E.Warps);
  E.Iterations =
      unsigned(std::clamp<uint64_t>(E.Iterations * Spare, E.Iterations, 64));
  // What comes late in a loop may meet what came early.
  constexpr unsigned MostStretches = 4;
  E.Stretches = std::min(MostStretches, E.Iterations / *LoopIterations);
  E.MaxSteps = Budget * 2 / (E.Blocks * Generations * E.Warps);
  return E;
}

/// The part of L1 that is left to the simulated part of the SM.
L1Cache L1Simulation::cacheFor(const Extent &E) const {
  uint64_t SharedBytes =
      (Facts.StaticSharedBytes + Launch.dynamicSharedBytes()) * Resident;
  uint64_t Bytes = G.L1Bytes - std::min(G.L1Bytes, SharedBytes);
  double Share =
      double(E.Blocks) / double(Resident) * E.Warps / Launch.warpsPerBlock();
  return L1Cache(uint64_t(double(Bytes) / G.LineBytes * Share));
}

void L1Simulation::runGeneration(uint64_t Generation, const Extent &E,
                                 double Weight, L1Cache &Cache,
                                 std::vector<HitCount> &Hits) {
  const uint64_t First = Generation * Resident;
  std::vector<Dim3> Blocks;
  for (uint64_t B = 0; B < E.Blocks; ++B)
    Blocks.push_back(blockOnSm(uint32_t(First + B)));
  runBlocks(Blocks, First, E, Weight, Cache, Hits);
}

/// Orders the requests of each pass through straight code as a warp issues
/// them: those of a group one after the other, where its first is.
static void orderByGroup(MutableArrayRef<TraceEvent> Events,
                         ArrayRef<unsigned> Groups) {
  for (size_t First = 0, End = 0; First != Events.size(); First = End) {
    for (End = First + 1; End != Events.size() &&
                          Events[End].Access > Events[End - 1].Access &&
                          !Events[End].IsBehindFence;)
      ++End;
    std::map<unsigned, size_t> FirstOfGroup;
    for (size_t I = First; I != End; ++I)
      FirstOfGroup.try_emplace(Groups[Events[I].Access], I);
    auto Place = [&](const TraceEvent &E) {
      return std::pair(FirstOfGroup[Groups[E.Access]], E.Access);
    };
    llvm::sort(Events.slice(First, End - First),
               [&](const TraceEvent &A, const TraceEvent &B) {
                 return Place(A) < Place(B);
               });
  }
}

/// Numbers the meetings of \p Warps: those of a block that pass as many
/// barriers. Warps that pass fewer or more have parts of their own.
size_t L1Simulation::numberMeetings(MutableArrayRef<Running> Warps) {
  std::map<std::pair<uint32_t, uint32_t>, size_t> Numbers;
  for (Running &R : Warps)
    R.Meeting =
        Numbers.try_emplace({R.Who.Block, R.Trace.Barriers}, Numbers.size())
            .first->second;
  return Numbers.size();
}

/// \p Blocks run together; the first has number \p FirstNumber.
void L1Simulation::runBlocks(ArrayRef<Dim3> Blocks, uint64_t FirstNumber,
                             const Extent &E, double Weight, L1Cache &Cache,
                             std::vector<HitCount> &Hits) {
  std::vector<Running> Warps;
  for (size_t B = 0; B < Blocks.size(); ++B)
    for (unsigned W = 0; W < E.Warps; ++W) {
      uint32_t Block = uint32_t(FirstNumber + B);
      uint64_t Key = 1 + Block * uint64_t(Launch.warpsPerBlock()) + W;
      WarpTrace Trace =
          traceWarp(Blocks[B], W, E.Iterations, E.MaxSteps, Key, E.Stretches);
      orderByGroup(Trace.Events, Groups);
      Running &R = Warps.emplace_back();
      R.Trace = std::move(Trace);
      R.Who = {Block, W};
      R.LastOf.resize(Facts.Accesses.size());
      R.NumOf.resize(Facts.Accesses.size());
    }
  // The barriers that all warps of each meeting have passed.
  std::vector<uint32_t> Passed(numberMeetings(Warps));
  for (bool Any = true; Any;) {
    Any = false;
    llvm::fill(Passed, ~0u);
    for (const Running &R : Warps)
      if (!R.isDone())
        Passed[R.Meeting] = std::min(Passed[R.Meeting], R.barriers());
    for (Running &R : Warps) {
      if (R.isDone() || R.barriers() > Passed[R.Meeting])
        continue;
      Any = true;
      issueGroup(R, Weight, Cache, Hits);
    }
  }
  size_t Longest = 0;
  for (const Running &R : Warps) {
    Cache.age(uint64_t(R.Unseen));
    Longest = std::max(Longest, R.Trace.Events.size());
  }
  // What these blocks have asked for is there when others come.
  FirstTurn += Longest + Facts.Accesses.size();
}

void L1Simulation::issueGroup(Running &R, double Weight, L1Cache &Cache,
                              std::vector<HitCount> &Hits) {
  const ArrayRef<TraceEvent> Events(R.Trace.Events);
  for (uint32_t Last = Events[R.Next].Access;;) {
    request(R, Weight, Cache, Hits);
    if (R.isDone())
      return;
    const uint32_t Next = Events[R.Next].Access;
    // An access that comes again is that of the next iteration.
    if (Groups[Next] != Groups[Last] || Next <= Last)
      return;
    Last = Next;
  }
}

void L1Simulation::passBy(const Running &R, const TraceEvent &Event,
                          L1Cache &Cache) const {
  const std::optional<size_t> Last = R.LastOf[Event.Access];
  if (!Last)
    return;
  const TraceEvent &Before = R.Trace.Events[*Last];
  const ArrayRef<LineTouch> All(R.Trace.Touches);
  const ArrayRef From = All.slice(Before.First, Before.Count);
  const ArrayRef To = All.slice(Event.First, Event.Count);
  if (From.empty() || To.empty())
    return;
  const int64_t Lines = int64_t(To.front().Line - From.front().Line);
  // Places closer than a line are those of the lines between.
  const uint64_t Distance = uint64_t(std::abs(Lines));
  const bool IsDense = Distance <= Event.TurnsLeftOut;
  const uint64_t Steps = IsDense ? Distance : Event.TurnsLeftOut + 1;
  // No more than L1 holds can be left of them.
  const uint64_t Room = Cache.capacity() / From.size() + 1;
  const bool IsStore = Facts.Accesses[Event.Access].Kind == AccessKind::Store;
  const auto AllSectors = uint8_t(
      maskTrailingOnes<unsigned>(G.LineBytes / std::max(1u, G.SectorBytes)));
  for (uint64_t I = Steps > Room ? Steps - Room : 1; I < Steps; ++I)
    for (const LineTouch &T : From) {
      LineTouch Passed = T;
      Passed.Line += uint64_t(Lines * int64_t(I) / int64_t(Steps));
      if (IsDense)
        Passed.Sectors = AllSectors;
      // What the request touches is told by the turns that lead to it.
      if (none_of(To, [&](const LineTouch &Now) {
            return IsDense && Now.Line == Passed.Line;
          }))
        Cache.touch(Passed, IsStore, R.Who);
    }
}

/// The stretch of a request of a warp that has made \p Before of them.
static unsigned stretchOf(double Before) {
  return std::min(unsigned(std::bit_width(uint64_t(Before) + 1)) - 1,
                  HitCount::NumStretches - 1);
}

/// The next request of \p R.
void L1Simulation::request(Running &R, double Weight, L1Cache &Cache,
                           std::vector<HitCount> &Hits) {
  const size_t Index = R.Next++;
  const uint64_t Turn = FirstTurn + Index;
  const TraceEvent &Event = R.Trace.Events[Index];
  if (Event.IsBehindFence)
    Cache.invalidate();
  HitCount &Count = Hits[Event.Access];
  const double Each = Weight * Event.Weight;
  if (Event.TurnsLeftOut != 0) {
    passBy(R, Event, Cache);
    R.Unseen = 0;
    R.LastWeight = Event.Weight;
  }
  R.LastOf[Event.Access] = Index;
  // Behind a shortened loop, what was left out has passed through L1.
  if (Event.Weight < R.LastWeight && R.Unseen >= 1) {
    Cache.age(uint64_t(R.Unseen));
    R.Unseen = 0;
  }
  R.LastWeight = Event.Weight;
  const ArrayRef Touches =
      ArrayRef(R.Trace.Touches).slice(Event.First, Event.Count);
  if (Facts.Accesses[Event.Access].Kind == AccessKind::Store && !Event.IsLocal)
    OfBlocks.store(Event.Access, R.Who, Touches, Each, Turn);
  bool Waits = false, FetchedAlong = true, Misses = false;
  uint64_t AwaitedTurn = 0;
  for (const LineTouch &T : Touches) {
    const LineOutcome Line = touchLine(R, Event, T, Turn, Each, Cache, Count);
    Waits |= Line.Waits;
    FetchedAlong &= !Line.Waits || Line.FetchedAlong;
    Misses |= Line.Waits && !Line.AwaitedTurn;
    AwaitedTurn = std::max(AwaitedTurn, Line.AwaitedTurn.value_or(0));
  }
  const unsigned Stretch = stretchOf(R.NumOf[Event.Access]);
  if (R.NumOf[Event.Access] == 0)
    Count.Warps += Weight;
  R.NumOf[Event.Access] += Event.Weight;
  Count.MostOfWarp = std::max(Count.MostOfWarp, R.NumOf[Event.Access]);
  Count.Requests += Each;
  Count.RequestsBy[Stretch] += Each;
  if (Waits) {
    Count.Waiting += Each;
    Count.WaitingBy[Stretch] += Each;
    Count.FetchedAlong += FetchedAlong ? Each : 0;
    if (!Misses)
      Count.AwaitOther[R.Trace.Events[AwaitedTurn - FirstTurn].Access] += Each;
  }
}

/// One line of a request, which stands for \p Each of them.
L1Simulation::LineOutcome
L1Simulation::touchLine(Running &R, const TraceEvent &Event, const LineTouch &T,
                        uint64_t Turn, double Each, L1Cache &Cache,
                        HitCount &Count) {
  const bool IsStore = Facts.Accesses[Event.Access].Kind == AccessKind::Store;
  const unsigned Together = GroupSizes[Event.Access];
  const TouchResult Found = Cache.touch(T, IsStore, R.Who, Turn);
  R.Unseen += Found.IsNew ? std::max(0.0, Event.Weight - 1) : 0;
  const bool Misses = Found.HitSectors != T.Sectors;
  LineOutcome Out;
  if (Misses || areTogether(Turn, Found.FetchedAt, Together)) {
    Out.Waits = true;
    Out.FetchedAlong =
        Misses && !IsStore
            ? Fetches.ask(T.Line, T.Sectors & ~Found.HitSectors, Turn, Together)
            : Fetches.lastWasThere(T.Line);
    if (!Misses && Found.FetchedAt < Turn)
      Out.AwaitedTurn = Found.FetchedAt;
  }
  Count.Sectors += Each * std::popcount(T.Sectors);
  Count.Lines += Each;
  if (Found.IsNew ||
      ((Misses || IsStore) && !areTogether(Turn, Found.VisitedAt, Together))) {
    Count.Visits += Each;
    Count.VisitsFetchedAlong += Out.FetchedAlong ? Each : 0;
  }
  const double Hit = Each * std::popcount(Found.HitSectors);
  if (Hit == 0)
    return Out;
  if (Found.Before.Block != R.Who.Block)
    Count.OtherBlock += Hit;
  else if (Found.Before.Warp != R.Who.Warp)
    Count.SameBlock += Hit;
  else
    Count.SameWarp += Hit;
  return Out;
}
