//===- L1Simulation.h - Warps of an SM take turns at L1 ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CACHES_L1SIMULATION_H
#define GPUOCC_LIB_CACHES_L1SIMULATION_H

#include "BlockStores.h"
#include "DramFetches.h"
#include "L1Cache.h"
#include "PendingStores.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include "llvm/ADT/MapVector.h"
#include <array>
#include <optional>
#include <vector>

namespace gpuocc {

/// Weighted sectors of one access, and where the hits came from.
struct HitCount {
  /// Stretches of AccessProfile::L1WaitsByRequest.
  static constexpr unsigned NumStretches = 10;
  double Sectors = 0, SameWarp = 0, SameBlock = 0, OtherBlock = 0;
  /// Requests, and those with a miss or a hit on a fetch under way.
  double Requests = 0, Waiting = 0;
  /// The same by how many a warp had made before.
  std::array<double, NumStretches> RequestsBy = {}, WaitingBy = {};
  /// The most that a warp makes, and the warps.
  double MostOfWarp = 0, Warps = 0;
  /// Of the waiting ones, those for which L2 has everything since neighbours
  /// were fetched.
  double FetchedAlong = 0;
  /// Of the waiting ones, those that wait only for what another access of the
  /// warp has asked for, by that access.
  llvm::SmallMapVector<uint32_t, double, 2> AwaitOther;
  /// Lines of requests, visits of L2 to them, and those of the visits for which
  /// L2 has everything since neighbours were fetched.
  double Lines = 0, Visits = 0, VisitsFetchedAlong = 0;
  double hits() const { return SameWarp + SameBlock + OtherBlock; }
};

/// Walks the warps of the blocks that one SM holds and lets them take turns at
/// its L1, request by request.
class L1Simulation {
public:
  explicit L1Simulation(const WalkedLaunch &Launch);

  /// The hits of each access. Blocks that the SM gets later find what earlier
  /// ones left.
  std::vector<HitCount> run();

  /// The same for the first and the last block of the grid, which may go ways
  /// of their own (the block that sums up what all others have left).
  std::vector<HitCount> runEnds();

  /// The same for blocks whose reads were kept while the kernel ran: what few
  /// blocks do is where data lead them. Empty counts where none was kept.
  std::vector<HitCount> runWatched();

  /// The same for \p Blocks, each with an L1 of its own.
  std::vector<HitCount> runApart(llvm::ArrayRef<Dim3> Blocks);

  /// Of the sectors that \p Access stores, the fraction that leaves L1
  /// together with what the warp or another one of its block stored before.
  double mergedFraction(size_t Access) const;

private:
  /// How much of an SM is simulated.
  struct Extent {
    uint64_t Blocks = 1;
    unsigned Warps = 1;
    unsigned Iterations = 8;
    /// Stretches of a loop that they lie in.
    unsigned Stretches = 1;
    /// Evaluated operations per warp.
    uint64_t MaxSteps = 1;
  };

  /// A warp, and how far it is.
  struct Running {
    WarpTrace Trace;
    Toucher Who;
    size_t Next = 0;
    /// The warps that it meets at barriers, by number.
    size_t Meeting = 0;
    /// Weight of the last request, and lines that the iterations it stood for
    /// would have fetched.
    double LastWeight = 1, Unseen = 0;
    /// For each access, its last request, and how many it has made.
    std::vector<std::optional<size_t>> LastOf;
    std::vector<double> NumOf;

    bool isDone() const { return Next == Trace.Events.size(); }
    /// Barriers that it has passed; only if not done.
    uint32_t barriers() const { return Trace.Events[Next].Barriers; }
  };

  /// What a request found of one line.
  struct LineOutcome {
    bool Waits = false;
    /// L2 has all that is missing since neighbours were fetched.
    bool FetchedAlong = false;
    /// The turn of the fetch that it waits for and has not asked for itself.
    std::optional<uint64_t> AwaitedTurn;
  };

  Extent chooseExtent();
  /// Iterations of a loop of which half take its accesses to new sectors.
  unsigned iterationsOfSectors();
  L1Cache cacheFor(const Extent &E) const;
  Dim3 blockOnSm(uint64_t K) const;
  /// Counts the sectors that the stores of \p Trace leave L1 with.
  void passStores(const WarpTrace &Trace);
  WarpTrace traceWarp(Dim3 Block, unsigned Warp, unsigned Iterations,
                      uint64_t MaxSteps, uint64_t Key, unsigned Stretches);
  void runGeneration(uint64_t Generation, const Extent &E, double Weight,
                     L1Cache &Cache, std::vector<HitCount> &Hits);
  static size_t numberMeetings(llvm::MutableArrayRef<Running> Warps);
  void runBlocks(llvm::ArrayRef<Dim3> Blocks, uint64_t FirstNumber,
                 const Extent &E, double Weight, L1Cache &Cache,
                 std::vector<HitCount> &Hits);
  /// The requests of \p R that it issues together.
  void issueGroup(Running &R, double Weight, L1Cache &Cache,
                  std::vector<HitCount> &Hits);
  void request(Running &R, double Weight, L1Cache &Cache,
               std::vector<HitCount> &Hits);
  /// Brings the lines of the turns that were left out before \p Event.
  void passBy(const Running &R, const TraceEvent &Event, L1Cache &Cache) const;
  LineOutcome touchLine(Running &R, const TraceEvent &Event, const LineTouch &T,
                        uint64_t Turn, double Each, L1Cache &Cache,
                        HitCount &Count);

  const WalkedLaunch &Launch;
  const KernelFacts &Facts;
  const MemoryGeometry &G;
  /// For each access its group, and how many requests of a warp can be issued
  /// with it.
  const std::vector<unsigned> Groups, GroupSizes;
  WarpTraces Traces;
  /// Of all traces so far, and of what warps stored in turns.
  std::vector<StoredSectors> Stored, StoredInTurns;
  PendingStores Stores;
  BlockStores OfBlocks;
  DramFetches Fetches;
  const uint64_t Total, Resident, Budget;
  /// Of the blocks that run now.
  uint64_t FirstTurn;
  /// Of iterationsOfSectors(), once it was asked.
  std::optional<unsigned> LoopIterations;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_CACHES_L1SIMULATION_H
