//===- Scoreboard.h - What a warp waits for ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_SCOREBOARD_H
#define GPUOCC_LIB_MODEL_SCOREBOARD_H

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
  unsigned Copy = 0;

  /// Asked for the same place at the same time, as far as DRAM tells.
  bool comesWith(const Arrival &Other) const;
};

/// The time of one warp, and until when it cannot go on; cycles since its first
/// issue and their squares.
struct WarpClock {
  double Now = 0;
  /// Variance of Now, and what of it all warps of the block share since they
  /// met at a barrier.
  double Variance = 0, SharedVariance = 0;
  PerResource<double> PipeFree = {};
  double AllLoadsDone = 0, AllStoresTaken = 0;
  /// The end of the stall behind the last instruction.
  double StalledUntil = 0;
  /// Waits for memory that were the first after a branch back.
  double WaitAfterBack = 0;

  /// Takes back what has happened since \p Before but \p Share of it.
  void keepShare(const WarpClock &Before, double Share);

  /// Variance of what the warps of a block do not share.
  double ownVariance() const { return Variance - SharedVariance; }
};

/// The clock of a warp, and the results that it waits for.
struct Scoreboard {
  WarpClock Clock;
  /// By number of the result, which the walk decides.
  std::vector<Arrival> Results;
  /// The load that was awaited last.
  Arrival LastAwaited;

  /// \p Start or, if later, \p ExtraCycles after \p A, one of Results, is
  /// there. Both vary; what they have varied by together before \p A issued
  /// counts once.
  RandomTime await(RandomTime Start, Arrival &A, double ExtraCycles);

  /// Lets \p Cycles pass during which everything repeats.
  void repeat(double Cycles, double Variance, double SharedVariance);
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_SCOREBOARD_H
