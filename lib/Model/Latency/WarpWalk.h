//===- WarpWalk.h - One warp on its way through the code --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_WARPWALK_H
#define GPUOCC_LIB_MODEL_LATENCY_WARPWALK_H

#include "Latency/Meetings.h"
#include "Latency/Scoreboard.h"
#include "Latency/WarpCode.h"
#include "gpuocc/Model/Prediction.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <utility>
#include <vector>

namespace gpuocc {

/// What a walk assumes and how it goes.
struct WalkOptions {
  MemoryDelay Delay;
  /// A pipe that is taken to be infinitely fast.
  std::optional<Resource> Instant;
  /// Goes round each loop once instead of as often as the profile says.
  bool OncePerLoop = false;
  /// Loads outside of loops all take their mean latency.
  bool OnlyLoopsVary = false;
  /// What the mean warp of the block does, unless null: then barriers, and the
  /// exit, wait for the others, which go the same way with this one and ask for
  /// as much as the mean does.
  const ExecutionProfile *MeanOfBlock = nullptr;
  /// Where the kinds of warps of the block meet; null where all are alike.
  Meetings *Kinds = nullptr;
  /// Where to write the steps that wait, in issue order, if anywhere.
  std::vector<LatencyStep> *Path = nullptr;
  /// With Path: the operation whose result each step waits for, or NoIndex.
  std::vector<uint32_t> *Producers = nullptr;
  /// Where to write the cycles of an iteration of each loop once it is steady,
  /// if anywhere; as large as KernelFacts::Loops.
  std::vector<double> *CyclesOfIteration = nullptr;
};

/// Issues the instructions of one warp in order on a scoreboard, over the
/// expected path of the profile: blocks in program order weighted by their
/// executions, loops until their period is steady.
class WarpWalk {
public:
  WarpWalk(const WarpCode &Code, const WalkOptions &Options);

  /// Walks through the whole code. \returns cycles from the first issue to the
  /// exit.
  double run();

  /// Cycle at which each operation issued last; negative if it was never
  /// reached.
  const std::vector<double> &issueCycles() const { return IssueCycle; }

  /// Waits for memory that were the first since a loop branched back, cycles.
  double waitAfterBack() const { return Board.Clock.WaitAfterBack; }

  /// Cycles at barriers, from their issue until the warp goes on.
  double atBarriers() const { return Board.Clock.AtBarriers; }

  /// Cycles for which the block holds units in one go; MeanOfBlock only.
  double heldByBlock() const { return Board.Clock.HeldByBlock; }

  /// Standard deviation of the exits of the warps of a block, cycles.
  double deviation() const;

private:
  void walkRegion(uint32_t L, double Entries);
  void walkLoop(uint32_t L, double ParentEntries);
  void walkIterations(uint32_t L, double Iterations, double Trips);
  unsigned groupsInFlight(uint32_t L) const;
  void walkBlock(uint32_t Block);
  void walkPass(uint32_t Block);
  template <typename Function> void walkPartly(double Fraction, Function Do);
  std::optional<UnitDemand> askedSoFar() const;

  void issue(const IssueSlot &T);
  bool begins(uint32_t Op);
  bool takesNoTime(uint32_t Op) const;
  bool issuesWithPrevious(const IssueSlot &T) const;
  double findStart(uint32_t Op, double OperandsThere);
  void noteWait(uint32_t Op, double Start, bool ForOperands);
  const OperationLatency &latencyOf(uint32_t Op, double Start) const;
  Arrival arrival(uint32_t Op, double Start, double Times) const;
  AsyncGroups &groupsOf(const LatencyNode &Node) {
    return Board.Clock.Groups[size_t(Node.Group.Kind)];
  }
  void askUnits(uint32_t Op, double Times);
  double requestShareOfMean(uint32_t Op) const;
  void meetBlock();
  void awaitBlock();
  void awaitKinds(size_t Barrier);

  Arrival lastOperand(uint32_t Op) const;
  Arrival lastOfSides(uint32_t Block, uint32_t Phi) const;
  bool waitsForMemory(uint32_t Op, double Start) const;

  /// The result of operation \p Op as the copy that is walked sees it.
  Arrival &result(uint32_t Op) { return Board.Results[slot(Op)]; }
  void setResult(uint32_t Op, const Arrival &A) { Board.set(slot(Op), A); }
  const Arrival &result(uint32_t Op) const { return Board.Results[slot(Op)]; }
  size_t slot(uint32_t Op) const { return slot(Op, Copy); }
  size_t slot(uint32_t Op, unsigned OfCopy) const;

  double executions(uint32_t Block) const;
  size_t numSteps() const { return Options.Path ? Options.Path->size() : 0; }
  void scaleSteps(size_t First, double Factor);

  const WarpCode &Code;
  const KernelFacts &Facts;
  const WalkOptions Options;
  Scoreboard Board;
  /// A loop has branched back since the warp last waited for memory.
  bool BranchedBack = false;
  std::vector<double> IssueCycle;
  /// What is walked now counts in part: the clock will go back.
  bool InPart = false;
  /// In which share of the executions of the kernel.
  double Part = 1;
  /// By operation: executions of the block that are yet to begin a group.
  llvm::DenseMap<uint32_t, double> OwedOf;
  /// Where the results of the copies of each block lie, but the last one's.
  std::vector<size_t> FirstCopies;
  /// What is walked: one copy of the Copies of a body.
  uint32_t InBlock = NoIndex;
  unsigned Copy = 0, Copies = 1;
  /// When it began.
  double RegionSince = 0;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_WARPWALK_H
