//===- Scoreboard.h - What a warp waits for ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_SCOREBOARD_H
#define GPUOCC_LIB_MODEL_LATENCY_SCOREBOARD_H

#include "Latency/AsyncGroups.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Model/RandomTime.h"
#include "gpuocc/Support/InstClass.h"
#include <vector>

namespace gpuocc {

/// When the result of an operation can be used. The variance is of the time
/// since the operation issued, when the clock had the variance BeforeIssue.
struct Arrival {
  double Cycle = 0, Variance = 0, BeforeIssue = 0;
  /// Of the variance, what loads of a neighborhood have in common, and when
  /// this one issued.
  double CommonVariance = 0, IssueCycle = 0;
  uint32_t Neighborhood = NoIndex;
  /// The copy of a loop's body, where each has a neighborhood of its own.
  unsigned Copy = 0;
  /// The operation whose result it is.
  uint32_t From = NoIndex;

  /// Asked for the same place at the same time, as far as DRAM tells.
  bool comesWith(const Arrival &Other) const;
};

/// What one warp has asked of the units of its scheduler since the warps of its
/// block met last, cycles. In the stretches between its waits for memory it
/// competes with the others.
struct UnitDemand {
  PerResource<double> Total = {};
  /// When the warps met.
  double Since = 0;
  /// The same of the present stretch.
  PerResource<double> OfStretch = {};
  double StretchSince = 0;
  /// Cycles that an earlier stretch takes longer for all warps of the scheduler
  /// than for one, the most of them.
  double Longer = 0;
  /// Cycles for which all of them hold the unit that they ask most of, in the
  /// stretch in which that is most.
  double MostHeld = 0;

  void add(Resource Unit, double Cycles) {
    Total[size_t(Unit)] += Cycles;
    OfStretch[size_t(Unit)] += Cycles;
  }
  /// One of \p Warps warps of a scheduler waits for memory from \p Now to
  /// \p Until.
  void endStretch(double Now, double Until, double Warps);

  /// Cycles from Since until the last of \p Warps warps of a scheduler is where
  /// one is at \p Now: all ask for the same. In each stretch they take as long
  /// as one, or as the unit that they ask most of; behind the longest stretch
  /// they go on one after the other.
  ///
  /// Source: the makespan of a flow shop with like jobs, all stages of one job
  /// and the longest stage of the others (Johnson 1954, "Optimal two- and
  /// three-stage production schedules").
  double cyclesOfAll(double Now, double Warps) const;

  /// Takes back what came since \p Before, which was at \p BeforeNow, but
  /// \p Share of it.
  void keepShare(const UnitDemand &Before, double BeforeNow, double Share);
  /// Adds \p Times of what came since \p Before, which was at \p BeforeNow, in
  /// \p Cycles.
  void repeat(const UnitDemand &Before, double BeforeNow, double Times,
              double Cycles);

private:
  void keepShareOfSums(const UnitDemand &Before, double Share);
};

/// The time of one warp, and until when it cannot go on; cycles since its first
/// issue and their squares.
struct WarpClock {
  double Now = 0;
  /// Variance of Now, and what of it all warps of the block share since they
  /// met at a barrier.
  double Variance = 0, SharedVariance = 0;
  PerResource<double> PipeFree = {};
  /// When the last instruction issued.
  double LastIssue = 0;
  double AllStoresTaken = 0;
  AllAsyncGroups Groups;
  /// The end of the stall behind the last instruction.
  double StalledUntil = 0;
  /// Waits for memory that were the first after a branch back.
  double WaitAfterBack = 0;
  /// Waits at barriers.
  double AtBarriers = 0;
  /// When the warps of the block met last.
  double MetAt = 0;
  /// The sum of UnitDemand::MostHeld over the times that the block has met.
  double HeldByBlock = 0;

  /// Takes back what has happened since \p Before but \p Share of it.
  void keepShare(const WarpClock &Before, double Share);

  /// Variance of what the warps of a block do not share.
  double ownVariance() const { return Variance - SharedVariance; }
};

/// The clock of a warp, and the results that it waits for.
struct Scoreboard {
  WarpClock Clock;
  /// Of the walks that ask for it: it is as large as the clock.
  UnitDemand Demand;
  /// By number of the result, which the walk decides.
  std::vector<Arrival> Results;
  /// The clock does not go back behind that.
  double NeverBefore = 0;
  /// The load that was awaited last.
  Arrival LastAwaited;

  /// \p Start or, if later, \p ExtraCycles after \p A, one of Results, is
  /// there. Both vary; what they have varied by together before \p A issued
  /// counts once.
  RandomTime await(RandomTime Start, Arrival &A, double ExtraCycles);

  void resize(size_t NumResults);
  void set(size_t Number, const Arrival &A) {
    Results[Number] = A;
    if (!IsUnderWay[Number]) {
      UnderWay.push_back(uint32_t(Number));
      IsUnderWay[Number] = true;
    }
    if (KeepsWritten)
      Written.push_back(uint32_t(Number));
  }

  /// Keeps from now on, or no longer, which results are set.
  void keepWritten(bool Keeps) {
    KeepsWritten = Keeps;
    Written.clear();
  }
  /// Results set so far since keepWritten().
  size_t numWritten() const { return Written.size(); }
  /// The clock, which was at \p Since when the result number \p First was set,
  /// has gone back by \p Cycles: what is under way since then has as long to go
  /// as before.
  void hasten(size_t First, double Since, double Cycles);

  /// Lets \p Cycles pass during which everything repeats.
  void repeat(double Cycles, double Variance, double SharedVariance);

private:
  /// Numbers of results that may come after NeverBefore, each once: all that
  /// repeat() has to look at.
  std::vector<uint32_t> UnderWay;
  std::vector<char> IsUnderWay;
  /// Numbers of results in the order in which they were set.
  std::vector<uint32_t> Written;
  bool KeepsWritten = false;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_SCOREBOARD_H
