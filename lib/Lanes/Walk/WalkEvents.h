//===- WalkEvents.h - What a walk sees --------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_WALKEVENTS_H
#define GPUOCC_LIB_LANES_WALK_WALKEVENTS_H

#include "Walk/LaneValue.h"
#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// A memory access by some lanes of the warp.
struct AccessEvent {
  uint32_t Access = NoIndex;
  /// Lanes that reach the instruction, and those whose guard holds.
  LaneMask Reached = 0, Active = 0;
  const LaneValue *Address = nullptr;
  int64_t OffsetBytes = 0;
  /// AsyncCopy only.
  const LaneValue *SharedAddress = nullptr;
  int64_t SharedOffsetBytes = 0;
  /// Bulk copies whose bytes code computes.
  const LaneValue *Bytes = nullptr;
  /// What the set of active lanes rests on.
  TaintMask ActiveTaint = 0;
  double Weight = 1;
};

/// A branch that some lanes come to.
struct BranchEvent {
  uint32_t Branch = NoIndex;
  LaneMask Active = 0, Taken = 0;
  /// What the condition rests on, apart from a common addend.
  TaintMask Shape = 0;
  TaintMask Base = 0;
  double Weight = 1;
};

/// A loop that some lanes have left.
struct LoopEvent {
  uint32_t Loop = NoIndex;
  /// Body executions of the longest lane and summed over lanes.
  double Trips = 0, LaneTrips = 0;
  unsigned Lanes = 0;
  /// Walked to its end, which no condition foretells.
  bool IsOpen = false;
  TaintMask Taint = 0;
  double Weight = 1;
};

/// Receives what a walk sees; nothing is done with what is not overridden.
class WalkObserver {
public:
  virtual void onBlock(uint32_t Block, LaneMask Active, double Weight) {}
  virtual void onBranch(const BranchEvent &E) {}
  virtual void onAccess(const AccessEvent &E) {}
  virtual void onLoop(const LoopEvent &E) {}
  /// The walk leaves out \p Turns turns of the innermost loop \p Loop, where
  /// the places of its accesses move on evenly; 0: it goes on to behind the
  /// loop.
  virtual void onTurnsLeftOut(uint32_t Loop, uint64_t Turns) {}
  /// Where a condition holds (WalkLimits::TellsConditions).
  virtual void onCondition(LaneMask Holds) {}
  /// Operation \p Op asks whether two known numbers are equal, or in which bits
  /// they differ: the left one less the right one, of the first and of the last
  /// active lane (WalkLimits::TellsConditions).
  virtual void onEquality(uint32_t Op, int64_t First, int64_t Last) {}
  /// Operation \p Op, whose operands are known; \p IsTaken: by some lane.
  virtual void onSlowPath(uint32_t Op, bool IsTaken, double Weight) {}

protected:
  ~WalkObserver() = default;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_WALKEVENTS_H
