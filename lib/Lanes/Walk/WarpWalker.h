//===- WarpWalker.h - One warp's way through the control flow --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Walks the slice for one warp. Lanes that part at a branch meet again at its
/// immediate post-dominator. Long loops are walked for chosen iterations, each
/// standing for its neighbours.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_WARPWALKER_H
#define GPUOCC_LIB_LANES_WALK_WARPWALKER_H

#include "Slice/Slice.h"
#include "Walk/LaunchInputs.h"
#include "Walk/WalkEvents.h"
#include "Walk/WalkMemory.h"
#include "Walk/WarpValues.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>
#include <optional>

namespace gpuocc {

/// How much of a warp is walked.
struct WalkLimits {
  /// Iterations walked of one loop entry at depth 1; deeper loops get fewer.
  unsigned MaxIterations = 16;
  /// Walk iterations in a row from the first instead of spreading them.
  bool Consecutive = false;
  /// Stretches of a long innermost loop that are walked instead, each in the
  /// middle of its share of the turns but for the first (Consecutive).
  unsigned Stretches = 1;
  /// Evaluated operations per warp.
  uint64_t MaxSteps = 100'000;
  /// The trip count of a loop whose end is not reached is named as an
  /// assumption (the figures rest on this walk).
  bool NamesCuts = false;
  /// Blocks of code that were reached, kept up to date. Where it is given,
  /// sides of branches that were not reached are walked too, by all lanes that
  /// are at the branch, up to the first block that was.
  std::vector<bool> *Reached = nullptr;
  /// Where the contents of memory are kept, for walks by several walkers of the
  /// warps of a block; the walker keeps them itself if nobody else does.
  WalkMemory *Memory = nullptr;
  /// By branch: whether a whole block takes the first target of one that data
  /// decides; null or nothing where it does not decide as a whole.
  const std::vector<std::optional<bool>> *SidesOfBlock = nullptr;
  /// Also at branches whose lanes are known: those that go there may be in
  /// other warps.
  bool DetoursFromKnownLanes = false;
  /// What counts is how far accesses reach: some may end iterations before
  /// their loop does, as in one that loads the data of a later iteration.
  bool ReachesEnds = false;
  /// The observer is told of each condition, not only of those that branches
  /// take: what several of them decide together changes where one does.
  bool TellsConditions = false;
};

class WarpWalker {
public:
  WarpWalker(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
             const WalkLimits &Limits);

  /// Walks warp \p WarpInBlock of block \p BlockIndex. Everything seen is
  /// passed to \p Observer with weights that are relative to \p Weight.
  void walk(Dim3 BlockIndex, unsigned WarpInBlock, double Weight,
            WalkObserver &Observer);

  /// Walks the warps of \p Block for what they store only: the walks of it that
  /// follow, which begin with the first, find what warps behind them stored.
  void rehearse(Dim3 Block);

  /// Has a warp, since construction, found what one behind it had stored?
  bool hasLookedAhead() const { return Memory.hasLookedAhead(); }

  /// Operations evaluated since construction.
  uint64_t steps() const { return TotalSteps; }

  /// How the block of the next walks goes (see WalkLimits::SidesOfBlock).
  void setSidesOfBlock(const std::vector<std::optional<bool>> &Sides) {
    Limits.SidesOfBlock = Sides.empty() ? nullptr : &Sides;
  }

  /// Whether the block of the next walks is resident from the start on: in a
  /// loop that swaps a value in unless the one there is beyond it, its threads
  /// all come to what was there before the launch, and try at least once.
  void setInFirstWave(bool Is) { InFirstWave = Is; }

  /// Did the effort of a walk end before a loop did whose end no condition
  /// tells?
  bool wasCutShort() const { return WasCutShort; }
  /// Operations, about, that all turns would have taken of loops whose turns
  /// are not alike and of which some stood for others.
  uint64_t stepsLeftOut() const { return StepsLeftOut; }
  /// Operations that the next walks may evaluate each.
  void setMaxSteps(uint64_t Steps) { Limits.MaxSteps = Steps; }

  /// The next warps stand for \p Warps of their block each.
  void setAlike(unsigned Warps) { Values.setAlike(Warps); }

private:
  using LaneCounts = std::array<uint64_t, WarpLanes>;

  /// A place where lanes wait for each other.
  struct Frame {
    uint32_t Stop = NoIndex;
    LaneMask Arrived = 0;
    /// What the control rested on before the lanes parted.
    ControlTaint Before;
    /// Lanes arrive by back edges of a loop.
    bool IsHeader = false;
  };

  /// What the exits of a loop saw in one iteration.
  struct ExitValues {
    /// Lanes that reached each exit of the loop form.
    llvm::SmallVector<LaneMask, 4> Reached;
    /// Both sides of the comparison of each affine exit.
    std::vector<std::pair<LaneValue, LaneValue>> Sides;
  };

  /// A loop that is being walked.
  struct LoopState {
    uint32_t Loop = NoIndex;
    uint64_t Iteration = 0;
    /// Iterations that are left out before the one that this one stands for.
    double LeftOut = 0;
    /// Header executions after which data-dependent exits are taken; 0 when
    /// another exit decides and they are not.
    uint64_t ForcedExecutions = 0;
    /// Lanes leave at different times, ForcedExecutions is their mean.
    bool ForcedVaries = false;
    /// ForcedExecutions were counted while the kernel ran, for the lane that
    /// stays longest; mean lane over longest.
    bool IsCounted = false;
    /// Lanes leave as they were counted to.
    bool LeavesByCount = false;
    /// Nothing else tells: not all that decides was seen.
    bool IsCountAlone = false;
    /// A branch in it went as was drawn or assumed: what it stores, and so
    /// whether it goes on, may be another's.
    bool HasDrawn = false;
    double LaneBalance = 1;
    /// Data may end the loop before its other exits do, which is not seen.
    bool MayEndEarly = false;
    /// What the exits rest on, and what the set of lanes that stay rests on.
    TaintMask ExitTaint = 0, ExitShape = 0;
    /// What values that leave the loop rest on besides.
    TaintMask ValueTaint = 0;
    ExitValues Exits;

    /// Heuristic: trip counts that data decides lane by lane are spread evenly
    /// from 1 to twice their mean (Rodinia bfs: mean degree 6, longest lane of
    /// a warp 10.7; HeCBench feynman-kac: mean over longest 0.73).
    uint64_t forcedExecutions(unsigned Lane) const {
      if (IsCounted)
        return countedExecutions(Lane);
      if (!ForcedVaries)
        return ForcedExecutions;
      // An odd factor deals the places out to the lanes.
      uint64_t Place = (Lane * 11 + 5) % WarpLanes;
      return 1 + (Place * 2 * (ForcedExecutions - 1) + WarpLanes / 2) /
                     (WarpLanes - 1);
    }

    /// Heuristic: the place-th of 32 lanes stays for (place / 32)^k of what the
    /// longest does, with k such that the mean is right. Tested by
    /// CountedTurns.LanesLeaveAsWereCounted.
    uint64_t countedExecutions(unsigned Lane) const {
      if (LaneBalance >= 1)
        return ForcedExecutions;
      const double Place = double((Lane * 11 + 5) % WarpLanes + 1) / WarpLanes;
      return std::max<uint64_t>(
          1, uint64_t(std::llround(double(ForcedExecutions) *
                                   std::pow(Place, 1 / LaneBalance - 1))));
    }
  };

  /// The affine phis of a loop: value at entry and growth per iteration.
  struct Induction {
    std::vector<LaneValue> Start, Step;
  };

  /// One entry of the innermost loop that is being walked.
  struct LoopEntry {
    uint32_t Loop = NoIndex;
    /// Lanes that entered, and those of them that have not left.
    LaneMask Entered = 0, Going = 0;
    /// Of the header, by lane: so far, and all in all where the exits tell.
    LaneCounts Executions = {};
    std::optional<LaneCounts> Solved;
    /// Solved is where lanes leave at the latest.
    bool IsBound = false;
    Induction Phis;
    /// Evaluated operations of the second iteration.
    uint64_t StepsPerIteration = 1;
    /// All others that were walked since evaluated as many.
    bool IsSteady = true;
    /// Iterations that may stand for all others.
    unsigned Samples = 0;

    void countGoing() {
      for (unsigned L = 0; L < WarpLanes; ++L)
        Executions[L] += (Going >> L) & 1;
    }
  };

  void run(uint32_t Block, LaneMask Mask, bool IsIterationStart);
  void execute(uint32_t Block, LaneMask Mask);
  void access(uint32_t Index, LaneMask Mask);
  void takeEdge(uint32_t From, uint32_t To, LaneMask Mask);

  void branch(uint32_t Block, LaneMask &Mask, uint32_t &Next);
  void indexedBranch(uint32_t Block, LaneMask &Mask, uint32_t &Next);
  void part(uint32_t From, llvm::ArrayRef<std::pair<uint32_t, LaneMask>> Sides,
            TaintMask Base, TaintMask Shape, LaneMask &Mask, uint32_t &Next);
  /// Walks to those of \p Targets that were not reached, and beyond, as if the
  /// lanes \p Mask went there from \p From; everything else is then as before.
  void detour(uint32_t From, llvm::ArrayRef<uint32_t> Targets, LaneMask Mask);
  void noteExitReached(uint32_t Branch, LaneMask Mask);
  /// Decides an exit of an open loop that data (\p IsData) or a count decide;
  /// false if \p Block is none.
  bool decideDataExit(uint32_t Block, const Branch &B, LaneMask Mask,
                      bool IsData, LaneMask &Taken);
  /// Is \p Block an exit of an open loop that was counted, and what decides it
  /// was not all seen?
  bool isLeftByCount(uint32_t Block) const;
  Frame *findStop(uint32_t Block);
  bool mayJoinAt(uint32_t Block, uint32_t EnclosingLoop);

  LaneMask runLoop(uint32_t Loop, LaneMask Mask, uint32_t &Join);
  LaneMask runIteration(LaneMask Mask, double RelativeWeight);
  /// Walks \p E to its end. Returns the lanes that never reached an exit.
  LaneMask walkIterations(LoopEntry &E);
  /// Walks one iteration, which stands for \p Stands.
  void iterate(LoopEntry &E, double Stands);
  /// Walks at most \p Walked iterations, which stand for \p Turns.
  void iterateForAll(LoopEntry &E, double Turns, uint64_t Walked);
  void walkFirstTwo(LoopEntry &E);
  void walkInARow(LoopEntry &E);
  /// Walks the stretches of a loop of which every lane takes \p Turns turns.
  void walkStretches(LoopEntry &E, uint64_t Turns);
  /// Turns that every lane takes of a loop of which stretches show all; 0 for
  /// others.
  uint64_t turnsInStretches(const LoopEntry &E) const;
  void walkForTheRest(LoopEntry &E);
  LaneMask walkLast(LoopEntry &E);
  /// Walks iteration \p Iteration by all lanes that have not left. Returns
  /// those that stay.
  LaneMask walkIteration(LoopEntry &E, uint64_t Iteration);
  LaneMask sampleIterations(LoopEntry &E);
  LaneMask extrapolate(LoopEntry &E);
  bool hasGuardedAccess(uint32_t Loop) const;
  void decideForcedExit(uint32_t Loop);
  /// Has \p Loop, which some data may end where \p HasData, leave as it was
  /// counted to; false where it was not.
  bool decideByCount(uint32_t Loop, bool HasData);
  void noteSlowPath(const SliceOp &Op, LaneMask Mask);
  void noteEquality(const SliceOp &Op, LaneMask Mask);
  void reportLoop(const LoopEntry &Entry);
  Induction startInduction(uint32_t Loop) const;
  void finishInduction(uint32_t Loop, Induction &Phis) const;
  /// Notes what the threads of the grid reach by a loop of \p Executions of
  /// which each goes on by their number.
  void noteGridStride(uint32_t Loop, const Induction &Phis, LaneMask Going,
                      uint64_t Executions);
  void setInduction(uint32_t Loop, uint64_t Iteration, LaneMask Mask,
                    const Induction &Phis);
  /// Executions of the header until each lane of \p Mask leaves, where the
  /// exits tell. \p IsReplayed: exits without a closed form were followed until
  /// all lanes had left.
  std::optional<LaneCounts> solveExecutions(uint32_t Loop, LaneMask Mask,
                                            const ExitValues &At0,
                                            const ExitValues &At1,
                                            bool &IsReplayed);
  /// Lowers \p Executions to where exits without a closed form leave: what they
  /// are made of is computed iteration by iteration, without the body. As far
  /// as a quarter of the effort that is left allows; true if that sufficed.
  bool replayExits(const LoopReplay &Replay, LaneMask Mask,
                   const ExitValues &At0, const ExitValues &At1,
                   LaneCounts &Executions);
  LaneMask replayIteration(const LoopReplay &Replay, LaneMask Mask,
                           llvm::ArrayRef<LaneMask> Reached);
  void advancePhis(const LoopReplay &Replay);
  uint64_t stretchOf(const LoopReplay &Replay, unsigned Lane,
                     const llvm::DenseMap<uint32_t, uint64_t> &Before);
  bool followStretches(const LoopReplay &Replay, unsigned Lane,
                       llvm::ArrayRef<LaneMask> Reached, uint64_t Header,
                       uint64_t &Executions);
  unsigned iterationLimit() const;
  /// The share of lanes in which a value beats what \p Record keeps, in this
  /// turn of the loops.
  double shareOf(const RecordTurns &Record) const;

  bool outOfSteps() const { return Steps > Limits.MaxSteps; }

  const KernelFacts &Facts;
  const Slice &S;
  LaunchInputs &Inputs;
  WalkLimits Limits;
  WalkObserver *Observer = nullptr;
  WalkMemory OwnMemory;
  WalkMemory &Memory;
  WarpValues Values;
  std::vector<Frame> Frames;
  std::vector<LoopState> Loops;
  /// Of the first target of each branch with a prior.
  std::vector<Quota> TakesBranch;
  /// Counted executions of each loop are whole, and right in the mean.
  std::vector<Quota> RoundsUp;
  /// Of each loop, those of the lane that stayed longest when it was entered
  /// last, as far as its exits tell.
  std::vector<uint64_t> KnownTurns;
  LaneMask Alive = 0;
  /// Of the lanes in this turn of the innermost loop, those of other sides of
  /// its branches that are walked later.
  LaneMask Pending = 0;
  ControlTaint Control;
  double Weight = 1;
  uint64_t Steps = 0, TotalSteps = 0;
  bool WasCutShort = false;
  uint64_t StepsLeftOut = 0;
  /// Evaluated operations that may still go into following exits, beside those
  /// of the walk.
  uint64_t StretchBudget = 0;
  unsigned Depth = 0;
  bool InDetour = false;
  bool InFirstWave = false;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_WARPWALKER_H
