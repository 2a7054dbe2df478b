//===- ProfileLanes.cpp - Evaluate a kernel for one launch ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lanes/ProfileLanes.h"
#include "Analysis/GatherSources.h"
#include "Analysis/Predication.h"
#include "Memory/Reach.h"
#include "Memory/Recorder.h"
#include "Slice/BranchProbability.h"
#include "Slice/Slice.h"
#include "Walk/BlockWork.h"
#include "Walk/CutFinder.h"
#include "Walk/EqualityCuts.h"
#include "Walk/LaunchInputs.h"
#include "Walk/Quota.h"
#include "Walk/SidesOfBlocks.h"
#include "Walk/WarpPlan.h"
#include "Walk/WarpWalker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <functional>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Folds the way of a warp through the control flow into a number.
class WayHash final : public WalkObserver {
public:
  uint64_t Hash = 0;

  void onBlock(uint32_t Block, LaneMask Active, double) override {
    mix(Block);
    mix(Active);
  }
  void onBranch(const BranchEvent &E) override { mix(E.Taken); }
  void onAccess(const AccessEvent &E) override { mix(E.Active); }
  void onLoop(const LoopEvent &E) override { mix(uint64_t(E.LaneTrips)); }
  void onCondition(LaneMask Holds) override { mix(Holds); }

private:
  void mix(uint64_t V) { Hash = scramble(Hash ^ V); }
};

/// Passes accesses of blocks of code that were not seen on to a recorder.
class DetourObserver final : public WalkObserver {
public:
  DetourObserver(const KernelFacts &Facts, const std::vector<bool> &Seen,
                 Recorder &Into)
      : Facts(Facts), Seen(Seen), Into(Into) {}

  void onAccess(const AccessEvent &E) override {
    const uint32_t Op = Facts.Accesses[E.Access].Op;
    const uint32_t Block =
        Op < Facts.Operations.size() ? Facts.Operations[Op].Block : NoIndex;
    if (Block < Seen.size() && !Seen[Block])
      Into.onAccess(E);
  }

private:
  const KernelFacts &Facts;
  const std::vector<bool> &Seen;
  Recorder &Into;
};

/// What walks of one choice of inputs showed.
struct Recording {
  Recorder Walked, Detours;
  std::vector<BlockReach> Reach;
  GridCuts Cuts;
};

/// Share of the effort that looking for edges in the grid may take.
constexpr uint64_t CutEffort = 4;

/// Blocks of a dimension that are cells of their own since code asks for them.
constexpr unsigned MaxPickedBlocks = 4;

/// How many times the effort of the figures the work of all blocks may take
/// where recorded data decides it.
constexpr uint64_t ScanEffort = 20;

/// How many times the effort of the figures warps, or turns of a loop, may take
/// that are not alike.
constexpr uint64_t DifferingEffort = 8;

/// How the edges of one dimension are looked for.
struct EdgeSearch {
  /// Places probed between the edges, and how many ways they may go.
  unsigned InnerProbes, MaxWays;
  /// Walks that it takes about.
  uint64_t Walks;
};

/// The second one, for kernels with longer ways, sees guards at the edges only.
constexpr EdgeSearch EdgeSearches[] = {{5, 4, 100}, {3, 1, 40}};

/// Walks the first and the last warp of blocks for the way that they go.
class BlockWays {
public:
  BlockWays(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
            const LanesOptions &Options)
      : Inputs(Inputs), Walker(Facts, S, Inputs, limits(Options)) {
    const Dim3 Grid = Inputs.grid();
    WayHash Probe;
    Walker.walk({Grid.X / 2, Grid.Y / 2, Grid.Z / 2}, 0, 1, Probe);
    StepsPerWarp = std::max<uint64_t>(1, Walker.steps());
  }

  /// Of a warp in the middle of the grid.
  uint64_t stepsPerWarp() const { return StepsPerWarp; }

  /// Walks the first warp of \p Block.
  void walk(Dim3 Block, WalkObserver &Observer) {
    Walker.walk(Block, 0, 1, Observer);
  }

  uint64_t of(Dim3 Block) {
    WayHash Way;
    Walker.walk(Block, 0, 1, Way);
    if (Inputs.warpsPerBlock() > 1)
      Walker.walk(Block, Inputs.warpsPerBlock() - 1, 1, Way);
    return Way.Hash;
  }

private:
  static WalkLimits limits(const LanesOptions &Options) {
    WalkLimits Limits;
    Limits.MaxIterations = 4;
    Limits.TellsConditions = true;
    Limits.MaxSteps = std::max<uint64_t>(1, Options.MaxSteps / CutEffort /
                                                EdgeSearches[0].Walks);
    return Limits;
  }

  LaunchInputs &Inputs;
  WarpWalker Walker;
  uint64_t StepsPerWarp = 1;
};

} // namespace

/// Finds the cuts of the grid and, as far as the effort allows, whether blocks
/// between them are \p Alike.
static GridCuts chooseCuts(const Slice &S, Dim3 Grid, BlockWays &Ways,
                           const LanesOptions &Options, bool &Alike) {
  Alike = true;
  unsigned Dimensions = 0;
  for (bool Uses : S.UsesCtaId)
    Dimensions += Uses;
  const auto *Search = find_if(EdgeSearches, [&](const EdgeSearch &E) {
    return Ways.stepsPerWarp() * E.Walks * Dimensions <=
           Options.MaxSteps / CutEffort;
  });
  if (Search == std::end(EdgeSearches))
    return edgeCuts(Grid, S.UsesCtaId);
  auto Signature = [&](Dim3 Block) { return Ways.of(Block); };
  GridCuts Cuts = findCuts(Grid, S.UsesCtaId, Signature, Search->InnerProbes,
                           Search->MaxWays);
  addEqualityCuts(
      Grid, S.UsesCtaId, MaxPickedBlocks,
      [&](Dim3 Block, WalkObserver &Observer) { Ways.walk(Block, Observer); },
      Cuts);
  Alike = areCellsAlike(Grid, Cuts, Signature);
  if (Alike || Search == std::begin(EdgeSearches))
    return Cuts;
  // A coarse search that has missed something is worth nothing.
  Alike = true;
  return edgeCuts(Grid, S.UsesCtaId);
}

/// Walks that go where no warp did, until every block of code was seen or as
/// much effort was spent as on the figures.
static Recorder
walkDetours(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
            const MemoryGeometry &Geometry, const LanesOptions &Options,
            ArrayRef<PlannedWarp> Warps, ArrayRef<BlockReach> Reach) {
  Recorder Detours(Facts, Geometry, /*Confirmed=*/false);
  std::vector<bool> Before;
  for (const BlockReach &R : Reach)
    Before.push_back(R.What != BlockReach::Perhaps);
  auto Complete = [](const std::vector<bool> &Blocks) {
    return std::find(Blocks.begin(), Blocks.end(), false) == Blocks.end();
  };
  WalkLimits Limits;
  Limits.MaxIterations = 4;
  Limits.MaxSteps = Options.MaxSteps / 2;
  std::vector<bool> Seen = Before;
  const size_t Middle = Warps.size() / 2;
  // First lanes go where they are known to go, otherwise as a warp; what none
  // of them saw is then seen by all lanes at a branch.
  for (bool FromKnownLanes : {false, true}) {
    Limits.DetoursFromKnownLanes = FromKnownLanes;
    const std::vector<bool> SeenBefore = Seen;
    DetourObserver Observer(Facts, SeenBefore, Detours);
    uint64_t Steps = 0;
    // The warps of a block in the middle, where the fewest edges are.
    for (const PlannedWarp &W : Warps) {
      if (Complete(SeenBefore) || Steps > Options.MaxSteps / 2)
        break;
      if (W.BlockIndex != Warps[Middle].BlockIndex)
        continue;
      std::vector<bool> Reached = Before;
      Limits.Reached = &Reached;
      WarpWalker Walker(Facts, S, Inputs, Limits);
      Detours.beginWarp(W, 1);
      Walker.walk(W.BlockIndex, W.WarpInBlock, 1, Observer);
      Steps += Walker.steps();
      for (size_t I = 0; I < Seen.size(); ++I)
        Seen[I] = Seen[I] || Reached[I];
    }
  }
  return Detours;
}

/// Groups of warps share registers out or make products together, which is done
/// to give some of them other work than others.
static bool haveRoles(const KernelFacts &Facts) {
  return any_of(Facts.Operations, [](const Operation &Op) {
    return Op.What == Semantics::TakeRegisters ||
           Op.What == Semantics::GiveRegisters ||
           Op.What == Semantics::CommitProducts;
  });
}

/// The effort for warp \p Index of \p Plan: equal parts of \p MaxSteps, or half
/// of it for those that work most.
static uint64_t stepsOf(size_t Index, const WarpPlan &Plan, uint64_t MaxSteps) {
  const size_t Heaviest = Plan.NumHeaviest, All = Plan.Warps.size();
  uint64_t Share = MaxSteps / All;
  if (Heaviest > 0 && Heaviest < All)
    Share = Index < Heaviest ? std::max(Share, MaxSteps / 2 / Heaviest)
                             : std::min(Share, MaxSteps / 2 / (All - Heaviest));
  return std::max<uint64_t>(1, Share);
}

/// Heuristic: if one of the blocks that were looked at works so much more than
/// they do in the mean, others may work more still. Trip counts that are spread
/// evenly reach twice their mean.
static constexpr double LongTail = 4;

/// Blocks that differ by less than this work alike.
static constexpr double Noticeable = 1.01;

/// How often walks that an end of effort cut short are walked anew, and how
/// many times more operations each warp may evaluate then.
static constexpr unsigned LongerWalks = 2, StepsOfLongerWalk = 8;

/// What the one of \p Blocks that works most does, over their mean.
static double mostOverMean(ArrayRef<BlockWork> Blocks) {
  double Sum = 0, Most = 0;
  for (const BlockWork &B : Blocks) {
    Sum += B.Work;
    Most = std::max(Most, B.Work);
  }
  return Sum > 0 ? Most * double(Blocks.size()) / Sum : 1;
}

namespace {

/// Walks blocks once before their figures are taken, where warps look in shared
/// memory for what those behind them store: the sum of all warps, for instance.
/// One such exchange is found; what a second one makes of it is not.
class RehearsedBlocks {
public:
  RehearsedBlocks(const WarpPlan &Plan, const Slice &S,
                  const LaunchInputs &Inputs)
      : Plan(Plan), IsWorthIt(S.FollowsMemory && Inputs.warpsPerBlock() > 1) {}

  /// Warp \p Index of the plan is walked next.
  void begin(size_t Index, WarpWalker &Walker) {
    const Dim3 Block = Plan.Warps[Index].BlockIndex;
    if (!IsWorthIt || (Index && Plan.Warps[Index - 1].BlockIndex == Block))
      return;
    // The first block tells.
    if (Index && !Walker.hasLookedAhead())
      IsWorthIt = false;
    else
      Walker.rehearse(Block);
  }

private:
  const WarpPlan &Plan;
  bool IsWorthIt;
};

} // namespace

/// Does what memory holds, or a loop without a closed form, decide where warps
/// go or what they access?
static bool restsOnRun(const Slice &S) {
  return any_of(S.Ops, [](const SliceOp &Op) { return Op.IsRecorded; }) ||
         any_of(S.Blocks,
                [](const SliceBlock &B) { return B.ConditionIsData; }) ||
         any_of(S.Loops, [](const LoopForm &L) {
           return !L.AllAffine ||
                  any_of(L.Exits, [](const LoopExit &E) { return !E.Affine; });
         });
}

/// Walks the warps that the figures are taken from.
static Recording record(const KernelFacts &Facts, const Slice &S,
                        LaunchInputs &Inputs, const MemoryGeometry &Geometry,
                        const LanesOptions &Options) {
  bool Alike = true;
  BlockWays Ways(Facts, S, Inputs, Options);
  GridCuts Cuts = chooseCuts(S, Inputs.grid(), Ways, Options, Alike);
  // Kernels with long ways get fewer warps.
  auto FittingWarps = [&](unsigned Most, uint64_t Effort) {
    return unsigned(std::clamp<uint64_t>(Effort / Ways.stepsPerWarp() / 2, 1,
                                         std::max(1u, Most)));
  };
  unsigned MaxWarps = FittingWarps(Options.MaxWarps, Options.MaxSteps);
  uint64_t MaxSteps = Options.MaxSteps;
  const std::vector<uint32_t> OfBlocks = branchesOfBlocks(Facts, S, Inputs);
  WarpPlan Plan;
  bool WasCutShort = false;
  uint64_t StepsTaken = 0, StepsLeftOut = 0, TimesSteps = 1;
  // Of the warps, those that run from the start of the grid on. The few that
  // are walked take turns.
  const double FirstWave =
      std::min(1.0, double(Geometry.SmCount) * Geometry.ResidentBlocksPerSm /
                        double(Inputs.grid().count()));
  auto WalkPlan = [&] {
    Inputs.dropTripAssumptions();
    const std::vector<BlockSides> Sides =
        sidesOfBlocks(Plan, Facts, OfBlocks, Inputs);
    WalkLimits Limits;
    Limits.MaxIterations = Options.MaxIterations;
    Limits.NamesCuts = true;
    WarpWalker Walker(Facts, S, Inputs, Limits);
    Recorder R(Facts, Geometry, Plan.Confirmed);
    Quota InFirstWave;
    RehearsedBlocks Rehearsed(Plan, S, Inputs);
    for (auto [I, W, Side] : enumerate(Plan.Warps, Sides)) {
      const double Weight = W.Weight * Side.Weight;
      Walker.setMaxSteps(TimesSteps * stepsOf(I, Plan, MaxSteps));
      Walker.setSidesOfBlock(Side.Takes);
      Rehearsed.begin(I, Walker);
      Walker.setAlike(W.NumAlike);
      Walker.setInFirstWave(InFirstWave.take(FirstWave));
      R.beginWarp(W, Weight);
      Walker.walk(W.BlockIndex, W.WarpInBlock, Weight, R);
      R.endWarp();
    }
    WasCutShort = Walker.wasCutShort();
    StepsTaken = std::max<uint64_t>(1, Walker.steps());
    StepsLeftOut = Walker.stepsLeftOut();
    return R;
  };
  // Few warps that come to the ends of their loops tell more than many that do
  // not. Those that were cut go on first with what the others left.
  auto WalkToEnds = [&](auto MakePlan) {
    Plan = MakePlan();
    Recorder R = WalkPlan();
    if (const uint64_t All = StepsTaken + StepsLeftOut;
        StepsLeftOut && All <= DifferingEffort * Options.MaxSteps) {
      TimesSteps = 2 * All / MaxSteps + 1;
      R = WalkPlan();
      TimesSteps = 1;
    }
    for (unsigned I = 0; I != LongerWalks && WasCutShort; ++I) {
      if (TimesSteps = MaxSteps / StepsTaken; TimesSteps > 1)
        R = WalkPlan();
      TimesSteps = 1;
      if (!WasCutShort)
        break;
      const size_t Before = Plan.Warps.size();
      MaxWarps = std::max(1u, unsigned(Before) / StepsOfLongerWalk);
      Plan = MakePlan();
      if (Plan.Warps.size() >= Before)
        break;
      R = WalkPlan();
    }
    return R;
  };
  auto Walk = [&](uint64_t MaxBlocks) {
    return WalkToEnds([&] {
      return planWarps(Inputs.grid(), Inputs.warpsPerBlock(), Cuts, MaxWarps,
                       MaxBlocks, haveRoles(Facts));
    });
  };
  const uint64_t NumBlocks = Inputs.grid().count();
  auto AllowDifferent = [&] {
    MaxSteps = DifferingEffort * Options.MaxSteps;
    MaxWarps = FittingWarps(Options.MaxDifferentWarps, MaxSteps);
  };
  // Warps that differ: as many as there is effort for, all of a small grid, and
  // boxes of blocks that go alike.
  auto WalkBoxes = [&] {
    AllowDifferent();
    auto Signature = [&](Dim3 Block) { return Ways.of(Block); };
    std::vector<BlockBox> Boxes = findBoxes(
        Inputs.grid(), Cuts, Signature, MaxWarps / 2,
        std::max(1u, MaxWarps / std::max(1u, Inputs.warpsPerBlock())));
    return WalkToEnds(
        [&] { return planBoxes(Boxes, Inputs.warpsPerBlock(), MaxWarps); });
  };
  // With Searches, the longest way takes a part of the effort of its own.
  auto WalkByWork = [&](std::vector<BlockWork> Blocks, bool Searches = false) {
    AllowDifferent();
    return WalkToEnds([&] {
      WarpPlan ByWork =
          planByWork(Blocks, NumBlocks, Inputs.warpsPerBlock(), MaxWarps);
      if (!Searches)
        ByWork.NumHeaviest = 0;
      return ByWork;
    });
  };
  auto WalkAsPlanned = [&] {
    // Two blocks of each cell are enough when they agree.
    Recorder R = Walk(2);
    if (!Alike || !R.warpsAgree())
      R = haveRoles(Facts) ? Walk(NumBlocks) : WalkBoxes();
    if (Plan.Warps.size() >= NumBlocks * Inputs.warpsPerBlock())
      return R;
    const bool ByRecord =
        S.Used.has(Mechanism::HeavyBlocks) && isDecidedByRecord(Facts, S);
    std::vector<uint32_t> Open;
    auto IsOpen = [&](uint32_t L) { return R.isOpen(L); };
    if (S.Used.has(Mechanism::ScatteredLoops) &&
        any_of(seq<uint32_t>(0, Facts.Loops.size()), IsOpen))
      Open = loopsOfBlocks(Facts);
    erase_if(Open, std::not_fn(IsOpen));
    if (!ByRecord && Open.empty())
      return R;
    std::vector<BlockWork> Blocks =
        workOfBlocks(Facts, S, Inputs, ScanEffort * Options.MaxSteps);
    const bool HasAll = Blocks.size() >= NumBlocks;
    const double Most = mostOverMean(Blocks);
    if (!ByRecord && Most < Noticeable)
      return R;
    if (ByRecord)
      Inputs.noteBlocksLookedAt(Blocks.size());
    R = WalkByWork(std::move(Blocks), !Open.empty());
    if (Most > LongTail && !HasAll)
      for (uint32_t L : Open)
        Inputs.assumeTripCount(L, Facts.Loops[L].Location,
                               std::round(R.meanTrips(L)),
                               TripBasis::Scattered);
    return R;
  };
  // What blocks read that were not watched is not known.
  auto WalkLookedAt = [&] {
    std::vector<BlockWork> Blocks = blocksLookedAt(Inputs);
    lookUpWork(Facts, S, Inputs, ScanEffort * Options.MaxSteps, Blocks);
    return WalkByWork(std::move(Blocks));
  };
  // Where nothing rests on it, all blocks are known.
  Recorder R = restsOnRun(S) && (Inputs.seen() ||
                                 Inputs.turns().decide(Inputs.warpsPerBlock()))
                   ? WalkLookedAt()
                   : WalkAsPlanned();
  if (Options.LoopsByTurns)
    *Options.LoopsByTurns =
        std::max(*Options.LoopsByTurns, Inputs.numByTurns());
  std::vector<BlockReach> Reach = findReach(Facts, R, Inputs.gridIsKnown());
  Recorder Detours =
      Options.DescribesUnreached
          ? walkDetours(Facts, S, Inputs, Geometry, Options, Plan.Warps, Reach)
          : Recorder(Facts, Geometry, /*Confirmed=*/false);
  return {std::move(R), std::move(Detours), std::move(Reach), std::move(Cuts)};
}

const SeenReads *LanesOptions::seenIn(const Launch &L) const {
  return Seen && L.Grid && L.Grid->Value == Seen->grid() &&
                 L.Block.Value == Seen->block()
             ? Seen.get()
             : nullptr;
}

const CountedTurns *LanesOptions::turnsIn(const Launch &L) const {
  return Turns && L.Grid && L.Grid->Value == Turns->Grid &&
                 L.Block.Value == Turns->Block
             ? Turns.get()
             : nullptr;
}

ExecutionProfile gpuocc::profileLanes(const KernelFacts &Facts, const Launch &L,
                                      const MemoryGeometry &Geometry,
                                      const LanesOptions &Options) {
  return profileLanes(Facts, L, Geometry, Options, EstimateReuse());
}

/// Names the blocks that were not walked, where their work is not known.
static void assumeSampled(const Recorder &R, uint64_t NumBlocks,
                          ExecutionProfile &Out) {
  if (Out.SampledError <= NoticedError)
    return;
  Assumption A;
  A.What = "work of the blocks that were not walked";
  raw_string_ostream(A.Taken)
      << "the mean of " << R.numBlocks() << " of " << NumBlocks
      << format(" that were, with a standard error of %.1f %%",
                100 * Out.SampledError);
  A.HowToSupply = "blocks differ, and not all were walked";
  Out.Assumptions.push_back(std::move(A));
}

/// Names the widths that the code does not say.
static void assumeWidths(const KernelFacts &Facts, ExecutionProfile &Out) {
  for (size_t I = 0; I < Facts.Accesses.size(); ++I) {
    const MemoryAccess &M = Facts.Accesses[I];
    if (!M.WidthAssumed || Out.Accesses[I].RequestsPerWarp <= 0)
      continue;
    Assumption A;
    A.What = M.BytesOperand != NoIndex ? "bytes of a copy that data decide"
             : M.Bulk ? "bytes of a tile that no barrier expects"
                      : "elements of a texture, whose coordinates count them";
    A.Taken = std::to_string(M.BytesPerLane) + " B each";
    A.HowToSupply = "nothing in the code says it";
    A.Location = Facts.Operations[M.Op].Location;
    if (none_of(Out.Assumptions, [&](const Assumption &Other) {
          return Other.What == A.What && Other.Taken == A.Taken;
        }))
      Out.Assumptions.push_back(std::move(A));
    if (Out.Accesses[I].Exact == Exactness::Exact)
      Out.Accesses[I].Exact = Exactness::Assumed;
    if (Out.Accesses[I].Reason.empty())
      Out.Accesses[I].Reason = "the bytes are assumed";
  }
}

ExecutionProfile gpuocc::profileLanes(const KernelFacts &Facts, const Launch &L,
                                      const MemoryGeometry &Geometry,
                                      const LanesOptions &Options,
                                      EstimateReuse Reuse) {
  TimeTraceScope Scope("gpu-occupancy walk", Facts.Name);
  const Mechanisms &Used = Options.Used;
  Slice S = sliceKernel(
      Facts,
      findRecordedArrays(Facts, L, Options.Used, Options.seenIn(L) != nullptr),
      Used);
  auto Profile = [&](LaunchInputs &Inputs, const Recording &R) {
    ExecutionProfile Out;
    R.Walked.finish(double(Inputs.grid().count()) * Inputs.warpsPerBlock(),
                    Inputs, Out);
    describeUnreached(Facts, R.Reach, R.Walked, R.Detours, Inputs, Out);
    if (Reuse)
      Reuse({Facts, S, Inputs, Geometry, Options, R.Cuts}, Out);
    describeGathers(Facts, Out);
    std::vector<AssumedProbability> Probabilities = assumedProbabilities(
        Facts, S, Out, Inputs.givenProbabilities(), Options.DefaultTripCount);
    applyPredicatedExits(Facts, Out);
    applyPredication(Facts, Out);
    Inputs.assumeDrawnAddresses(Out);
    Out.Assumptions = Inputs.assumptions();
    assumeSampled(R.Walked, Inputs.grid().count(), Out);
    assumeWidths(Facts, Out);
    for (AssumedProbability &Of : Probabilities) {
      Out.Assumptions.push_back(std::move(Of.InWords));
      Out.BranchProbabilities.push_back(std::move(Of.InNumbers));
    }
    return Out;
  };
  LaunchInputs Inputs(Facts, L, Options, S);
  Recording R = record(Facts, S, Inputs, Geometry, Options);
  if (!R.Walked.isIdle() || Facts.Accesses.empty())
    return Profile(Inputs, R);
  // With all unknown arguments equal, `k < i && i < n` lets nobody in; one of
  // them is a start then.
  for (uint32_t Argument : Inputs.assumedStarts()) {
    LaunchInputs Other(Facts, L, Options, S, Argument);
    Recording Retried = record(Facts, S, Other, Geometry, Options);
    if (!Retried.Walked.isIdle())
      return Profile(Other, Retried);
  }
  return Profile(Inputs, R);
}
