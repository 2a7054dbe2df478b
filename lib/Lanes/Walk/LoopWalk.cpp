//===- LoopWalk.cpp - Loops of a walk -------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of WarpWalker that decides which iterations of a loop are walked.
///
//===----------------------------------------------------------------------===//

#include "Slice/LoopForms.h"
#include "Walk/WarpWalker.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// Executions of a header that no exit bounds.
static constexpr uint64_t Unbounded = ~uint64_t(0);

/// The largest of \p Counts in \p Lanes.
static uint64_t mostOf(ArrayRef<uint64_t> Counts, LaneMask Lanes) {
  uint64_t Most = 0;
  for (unsigned L = 0; L < WarpLanes; ++L)
    if ((Lanes >> L) & 1)
      Most = std::max(Most, Counts[L]);
  return Most;
}

/// Does what memory is known to hold end \p Loop before a condition does that
/// is linear in its iterations? How often it turns is not known then before it
/// has ended.
static bool endsByRecord(const Slice &S, uint32_t Loop) {
  const LoopForm &Form = S.Loops[Loop];
  auto IsReplayed = [&](size_t Exit) {
    return Form.Replay &&
           any_of(Form.Replay->Exits,
                  [&](const LoopReplay::Exit &E) { return E.Index == Exit; });
  };
  bool HasOther = false;
  for (const auto &[I, E] : enumerate(Form.Exits))
    HasOther |= E.IsBound || (!E.Affine && !E.Data && E.Swap == NoIndex &&
                              E.Known == NoIndex && !IsReplayed(I));
  return HasOther &&
         any_of(S.Ops, [](const SliceOp &Op) { return Op.IsRecorded; });
}

LaneMask WarpWalker::runLoop(uint32_t Loop, LaneMask Mask, uint32_t &Block) {
  uint32_t Header = Facts.Loops[Loop].Header;
  uint32_t Join = Facts.Blocks[Header].PostDominator;
  for (size_t Hops = 0; Join < Facts.Blocks.size() && S.contains(Loop, Join) &&
                        Hops < Facts.Blocks.size();
       ++Hops)
    Join = Facts.Blocks[Join].PostDominator;
  bool OwnsJoin = mayJoinAt(Join, S.Nest.parent(Loop));
  const ControlTaint Before = Control;
  if (OwnsJoin)
    Frames.push_back({Join, 0, Before, false});
  Frames.push_back({Header, 0, Before, true});
  Loops.push_back({});
  Loops.back().Loop = Loop;
  decideForcedExit(Loop);

  LoopEntry Entry;
  Entry.Loop = Loop;
  Entry.Entered = Entry.Going = Mask;
  const LaneMask Left = walkIterations(Entry);
  reportLoop(Entry);
  const LoopState &Ended = Loops.back();
  Values.leaveLoop(Loop,
                   {(Ended.ExitTaint | Ended.ValueTaint) & ~Ended.ExitShape,
                    Ended.ExitShape});
  Loops.pop_back();
  Frames.pop_back();
  Control = Before;
  Block = NoIndex;
  // Lanes that the walk gave up on go on behind the loop.
  if (!OwnsJoin) {
    if (Frame *Stop = findStop(Join))
      Stop->Arrived |= Left;
    else
      Alive &= ~Left;
    return 0;
  }
  LaneMask Arrived = (Frames.back().Arrived | Left) & Alive;
  Frames.pop_back();
  Block = Join;
  return Arrived;
}

void WarpWalker::reportLoop(const LoopEntry &Entry) {
  const uint32_t Loop = Entry.Loop;
  LoopEvent E;
  E.Loop = Loop;
  E.Taint = Loops.back().ExitTaint;
  E.Weight = Weight;
  uint64_t Tests = S.Loops[Loop].TopTest ? 1 : 0;
  for (unsigned L = 0; L < WarpLanes; ++L)
    if ((Entry.Entered >> L) & 1) {
      const uint64_t Times = Entry.Executions[L];
      double Trips = double(Times - std::min(Tests, Times));
      E.Trips = std::max(E.Trips, Trips);
      E.LaneTrips += Trips;
      ++E.Lanes;
    }
  // Exits are solved behind the second iteration.
  E.IsOpen = !Entry.Solved && Loops.back().Iteration > 2;
  Observer->onLoop(E);
  if (Loops.back().MayEndEarly && Limits.NamesCuts)
    Inputs.assumeTripCount(Loop, Facts.Loops[Loop].Location, E.Trips,
                           TripBasis::AtMost);
}

bool WarpWalker::decideByCount(uint32_t Loop, bool HasData) {
  const auto Counted = Inputs.countedTrips(Loop);
  if (!Counted)
    return false;
  LoopState &State = Loops.back();
  const double Whole = std::floor(Counted->Longest);
  State.ForcedExecutions = uint64_t(Whole) +
                           RoundsUp[Loop].take(Counted->Longest - Whole) +
                           (S.Loops[Loop].TopTest ? 1 : 0);
  State.IsCounted = true;
  State.LeavesByCount = HasData || (Inputs.seen() && !Inputs.knowsReads());
  State.IsCountAlone = Inputs.seen() && !Inputs.knowsReads();
  State.LaneBalance = std::min(1.0, Counted->MeanLane / Counted->Longest);
  Inputs.noteByTurns(Loop);
  return true;
}

void WarpWalker::decideForcedExit(uint32_t Loop) {
  const LoopForm &Form = S.Loops[Loop];
  bool HasData = false, HasOther = false, Varies = false;
  for (const LoopExit &E : Form.Exits) {
    if (E.leavesSoon())
      continue;
    (E.Data ? HasData : HasOther) = true;
    Varies |= E.Data && E.Varying;
  }
  // Exits that are linear tell themselves when lanes leave.
  if (any_of(Form.Exits,
             [](const LoopExit &E) { return !E.Affine && !E.leavesSoon(); }) &&
      decideByCount(Loop, HasData))
    return;
  if (!HasData)
    return;
  bool IsDefault = true;
  double Hint = Inputs.tripCountHint(Loop, IsDefault);
  // An early exit of a countable loop leaves the bound as it is, unless the
  // launch says otherwise, or others end it before.
  if (HasOther && IsDefault && !Form.LooksBack) {
    Loops.back().MayEndEarly = true;
    return;
  }
  Loops.back().ForcedExecutions =
      uint64_t(std::llround(Hint)) + (Form.TopTest ? 1 : 0);
  Loops.back().ForcedVaries = Varies;
  if (IsDefault)
    Inputs.assumeTripCount(Loop, Facts.Loops[Loop].Location, Hint,
                           TripBasis::Guessed);
}

LaneMask WarpWalker::runIteration(LaneMask Mask, double RelativeWeight) {
  LoopState &State = Loops.back();
  if (State.Iteration <= 1) {
    size_t NumExits = S.Loops[State.Loop].Exits.size();
    State.Exits.Reached.assign(NumExits, 0);
    State.Exits.Sides.resize(NumExits);
  }
  const ControlTaint Before = Control;
  Control.Shape |= State.ExitShape;
  double WeightBefore = Weight;
  Weight *= RelativeWeight;
  size_t HeaderFrame = Frames.size() - 1;
  Frames[HeaderFrame].Arrived = 0;
  const LaneMask PendingBefore = std::exchange(Pending, 0);
  run(Facts.Loops[State.Loop].Header, Mask, true);
  Pending = PendingBefore;
  Weight = WeightBefore;
  Control = Before;
  return Frames[HeaderFrame].Arrived & Alive;
}

unsigned WarpWalker::iterationLimit() const {
  if (outOfSteps())
    return 2;
  unsigned Level = unsigned(Loops.size()) - 1;
  return std::max(4u, Limits.MaxIterations >> std::min(Level, 16u));
}

LaneMask WarpWalker::walkIterations(LoopEntry &E) {
  walkFirstTwo(E);
  walkInARow(E);
  if (!E.Going)
    return 0;
  if (!E.Solved || E.IsBound) {
    Loops.back().ExitTaint |= EffortTaint;
    return Limits.Consecutive ? E.Going : extrapolate(E);
  }
  for (unsigned L = 0; L < WarpLanes; ++L)
    if ((E.Going >> L) & 1)
      E.Executions[L] = std::max((*E.Solved)[L], E.Executions[L] + 1);
  if (S.Loops[E.Loop].AllAffine && !Limits.Consecutive)
    return sampleIterations(E);
  walkForTheRest(E);
  return walkLast(E);
}

void WarpWalker::iterateForAll(LoopEntry &E, double Turns, uint64_t Walked) {
  const double Stands = Turns / double(Walked);
  for (uint64_t I = 0; I < Walked && E.Going; ++I) {
    Loops.back().LeftOut = (double(I) + 0.5) * (Stands - 1);
    iterate(E, Stands);
  }
  Loops.back().LeftOut = 0;
}

void WarpWalker::iterate(LoopEntry &E, double Stands) {
  const uint64_t StepsBefore = Steps;
  E.Going = runIteration(E.Going, Stands);
  // The first iteration may begin what the others go on with.
  E.IsSteady &=
      Loops.back().Iteration < 2 || Steps - StepsBefore == E.StepsPerIteration;
  ++Loops.back().Iteration;
}

/// Two iterations show how the values grow, and so when lanes leave.
void WarpWalker::walkFirstTwo(LoopEntry &E) {
  E.Phis = startInduction(E.Loop);
  E.countGoing();
  iterate(E, 1);
  if (!E.Going)
    return;
  const ExitValues At0 = Loops.back().Exits;
  finishInduction(E.Loop, E.Phis);
  const uint64_t StepsBefore = Steps;
  E.countGoing();
  iterate(E, 1);
  if (!E.Going)
    return;
  E.StepsPerIteration = std::max<uint64_t>(1, Steps - StepsBefore);
  bool IsReplayed = false;
  E.Solved =
      solveExecutions(E.Loop, E.Going, At0, Loops.back().Exits, IsReplayed);
  if (E.Solved)
    KnownTurns[E.Loop] = std::max<uint64_t>(1, mostOf(*E.Solved, E.Going));
  const LoopForm &Form = S.Loops[E.Loop];
  const bool HasBound =
      any_of(Form.Exits, [](const LoopExit &Exit) { return Exit.IsBound; });
  const bool HasGuarded = any_of(Form.Exits, [](const LoopExit &Exit) {
    return Exit.IsGuarded && !Exit.Data;
  });
  E.IsBound = (HasBound && !(IsReplayed && Form.Replay->HasBounds)) ||
              HasGuarded || endsByRecord(S, E.Loop);
  if (E.Solved && Loops.size() == 1)
    noteGridStride(E.Loop, E.Phis, E.Going,
                   mostOf(*E.Solved, E.Going) -
                       (S.Loops[E.Loop].TopTest ? 1 : 0));
  E.Samples = iterationLimit();
}

/// Walks on from the first two iterations, unless samples show all of them.
/// Where the values are not linear, one by one as far as the effort allows;
/// where turns are not alike, if there seems to be effort for all.
void WarpWalker::walkInARow(LoopEntry &E) {
  if (const uint64_t Turns = turnsInStretches(E)) {
    walkStretches(E, Turns);
    return;
  }
  const bool IsLinear = E.Solved && S.Loops[E.Loop].AllAffine && !E.IsBound;
  const uint64_t Longest = E.Solved ? mostOf(*E.Solved, E.Going) : 0;
  const uint64_t Share =
      Limits.Consecutive || outOfSteps() ? 0 : (Limits.MaxSteps - Steps) / 2;
  const bool IsSampled =
      IsLinear &&
      !(S.Loops[E.Loop].IsUneven && Longest <= 2 + Share / E.StepsPerIteration);
  const uint64_t Samples = E.Samples;
  if (IsSampled && Longest > 2 + Samples && !Limits.Consecutive)
    return;
  const uint64_t Enough = Steps + (IsSampled ? 0 : Share);
  for (uint64_t Walked = 0; E.Going && (Walked < Samples || Steps < Enough);
       ++Walked) {
    // In a trace, the second half stands for all that is not walked.
    double Stands = 1;
    const uint64_t Half = Samples / 2;
    if (Limits.Consecutive && Longest > 2 + Samples && 2 * Walked >= Samples)
      Stands = double(Longest - 2 - Half) / double(Samples - Half);
    E.countGoing();
    iterate(E, Stands);
    if (outOfSteps())
      break;
  }
}

uint64_t WarpWalker::turnsInStretches(const LoopEntry &E) const {
  if (Limits.Stretches < 2 || !Limits.Consecutive || !E.Going || !E.Solved ||
      E.IsBound || !S.Loops[E.Loop].AllAffine ||
      any_of(Facts.Loops, [&](const Loop &L) { return L.Parent == E.Loop; }))
    return 0;
  uint64_t Shortest = ~uint64_t(0);
  for (unsigned L = 0; L < WarpLanes; ++L)
    if ((E.Going >> L) & 1)
      Shortest = std::min(Shortest, (*E.Solved)[L]);
  const uint64_t Longest = mostOf(*E.Solved, E.Going);
  // Where lanes leave at very different times, the stretches are not those of
  // all of them.
  return Longest > 2 * (2 + E.Samples) && 2 * Shortest > Longest ? Shortest : 0;
}

void WarpWalker::walkStretches(LoopEntry &E, uint64_t Turns) {
  LoopState &State = Loops.back();
  const uint64_t Walked = State.Iteration;
  const uint64_t Share = (Turns - Walked) / Limits.Stretches;
  const uint64_t Length =
      std::clamp<uint64_t>(E.Samples / Limits.Stretches, 2, Share);
  for (uint64_t K = 0; K != Limits.Stretches && E.Going; ++K) {
    const uint64_t First =
        Walked + K * Share + (K == 0 ? 0 : (Share - Length) / 2);
    if (const uint64_t LeftOut = First - State.Iteration) {
      for (unsigned L = 0; L < WarpLanes; ++L)
        E.Executions[L] += (E.Going >> L) & 1 ? LeftOut : 0;
      State.Iteration = First;
      setInduction(E.Loop, First, E.Going, E.Phis);
      Observer->onTurnsLeftOut(E.Loop, LeftOut);
    }
    // The second half stands for the share; the first half leads to it.
    const uint64_t Lead = Length / 2;
    const double OfLead = K == 0 ? 1 : 0;
    for (uint64_t I = 0; I != Length && E.Going; ++I) {
      E.countGoing();
      iterate(E, I < Lead ? OfLead
                          : (double(Share) - OfLead * double(Lead)) /
                                double(Length - Lead));
      if (outOfSteps())
        break;
    }
    if (outOfSteps())
      break;
  }
  Observer->onTurnsLeftOut(E.Loop, 0);
}

/// Some more iterations stand for all but the last one.
void WarpWalker::walkForTheRest(LoopEntry &E) {
  LoopState &State = Loops.back();
  uint64_t Rest = mostOf(E.Executions, E.Going);
  Rest -= std::min(Rest, State.Iteration + 1);
  if (Rest == 0 || Limits.Consecutive)
    return;
  const uint64_t Walked = std::min<uint64_t>(Rest, E.Samples);
  iterateForAll(E, double(Rest), Walked);
  if (S.Loops[E.Loop].AllAffine || Walked == Rest)
    return;
  // How often the loop turns was solved; what each turn does is known where all
  // that were walked did the same, at places that move on evenly.
  State.ValueTaint |= EffortTaint;
  if (!E.IsSteady || S.Loops[E.Loop].Jumps)
    State.ExitTaint |= EffortTaint;
  // A walk that is that much longer comes to the end.
  constexpr uint64_t LongerWalk = 8;
  WasCutShort |= !E.IsSteady && Rest <= LongerWalk * State.Iteration;
}

/// The iteration in which the last lanes leave.
LaneMask WarpWalker::walkLast(LoopEntry &E) {
  if (!E.Going)
    return 0;
  return walkIteration(E, mostOf(E.Executions, E.Going) - 1);
}

LaneMask WarpWalker::walkIteration(LoopEntry &E, uint64_t Iteration) {
  Loops.back().Iteration = Iteration;
  setInduction(E.Loop, Iteration, E.Going, E.Phis);
  return runIteration(E.Going, 1);
}

/// Ends a loop whose end is neither known nor reached. Some more iterations
/// stand for all that are left.
///
/// Heuristic: the lanes that left so far tell how often lanes leave. With h =
/// leaves per lane and iteration, the longest of m lanes goes on for (1 + 1/2 +
/// ... + 1/m) / h iterations, the mean of the maximum of m exponential times.
/// If no lane left, as many iterations are left as were walked, or as many as a
/// condition of the loop allows. A trip count of the launch goes before both.
/// Tested by CutLoops.LanesThatLeftTellOfTheOthers and
/// CutLoops.AConditionBoundsWhatIsNotWalked.
LaneMask WarpWalker::extrapolate(LoopEntry &E) {
  WasCutShort = true;
  const double Walked = double(Loops.back().Iteration);
  double LaneIterations = 0, Left = Walked;
  for (uint64_t Count : E.Executions)
    LaneIterations += double(Count);
  const unsigned NumGone = numLanes(E.Entered) - numLanes(E.Going);
  if (NumGone > 0) {
    double Harmonic = 0;
    for (unsigned M = 1; M <= numLanes(E.Going); ++M)
      Harmonic += 1.0 / M;
    Left = Harmonic * LaneIterations / NumGone;
  }
  if (E.Solved) {
    const double Bound =
        double(mostOf(*E.Solved, E.Going)) - (S.Loops[E.Loop].TopTest ? 1 : 0);
    Left = std::max(1.0, NumGone > 0 ? std::min(Left, Bound - Walked)
                                     : Bound - Walked);
  }
  bool IsDefault = true;
  double Hint = Inputs.tripCountHint(E.Loop, IsDefault);
  if (!IsDefault)
    Left = std::max(1.0, Hint - Walked);
  else if (Limits.NamesCuts)
    Inputs.assumeTripCount(
        E.Loop, Facts.Loops[E.Loop].Location, std::round(Walked + Left),
        E.Solved && NumGone == 0 ? TripBasis::AtMost : TripBasis::NotReached);
  Loops.back().ExitTaint |= TripTaint;
  uint64_t Samples = std::max<uint64_t>(
      1, std::min<uint64_t>(uint64_t(Left), iterationLimit()));
  const LaneMask StillGoing = E.Going;
  iterateForAll(E, Left, Samples);
  if (Limits.ReachesEnds && E.Solved && S.Loops[E.Loop].AllAffine && E.Going &&
      double(Loops.back().Iteration) < Walked + Left)
    E.Going = walkIteration(E, uint64_t(Walked + Left) - 1);
  for (unsigned L = 0; L < WarpLanes; ++L)
    if ((StillGoing >> L) & 1)
      E.Executions[L] += uint64_t(Left);
  return E.Going;
}

WarpWalker::Induction WarpWalker::startInduction(uint32_t Loop) const {
  Induction Phis;
  for (uint32_t I : S.Loops[Loop].AffinePhis)
    Phis.Start.push_back(
        Values[S.Blocks[Facts.Loops[Loop].Header].Phis[I].Dst]);
  return Phis;
}

void WarpWalker::finishInduction(uint32_t Loop, Induction &Phis) const {
  ArrayRef<uint32_t> Affine = S.Loops[Loop].AffinePhis;
  for (size_t K = 0; K < Affine.size(); ++K) {
    const SlicePhi &Phi = S.Blocks[Facts.Loops[Loop].Header].Phis[Affine[K]];
    const LaneValue &Now = Values[Phi.Dst];
    LaneValue Step = Now;
    if (Now.Uniform && Phis.Start[K].Uniform) {
      Step.V[0] = Now.V[0] - Phis.Start[K].V[0];
    } else {
      Step.expand();
      for (unsigned L = 0; L < WarpLanes; ++L)
        Step.V[L] = Now.lane(L) - Phis.Start[K].lane(L);
    }
    Phis.Step.push_back(std::move(Step));
  }
}

/// True if what leaves \p L rests on the phi \p Phi: the number of a thing that
/// a thread goes on by, and no address.
static bool endsLoop(const KernelFacts &Facts, const gpuocc::Loop &L,
                     uint32_t Phi) {
  return any_of(L.Blocks, [&](uint32_t Block) {
    const BasicBlock &B = Facts.Blocks[Block];
    return B.Branch != NoIndex &&
           any_of(B.Successors,
                  [&](uint32_t To) { return !is_contained(L.Blocks, To); }) &&
           anyOperationBehind(Facts, Facts.Branches[B.Branch].Condition,
                              [&](const Operation &Op) {
                                return &Op == &Facts.Operations[Phi];
                              });
  });
}

void WarpWalker::noteGridStride(uint32_t Loop, const Induction &Phis,
                                LaneMask Going, uint64_t Executions) {
  constexpr uint64_t MaxProblemSize = uint64_t(1) << 31;
  const uint64_t Threads = Inputs.gridThreads();
  const unsigned Lane = unsigned(std::countr_zero(Going));
  uint64_t Least = MaxProblemSize;
  ArrayRef<uint32_t> Affine = S.Loops[Loop].AffinePhis;
  for (size_t K = 0; K < Affine.size(); ++K) {
    // Unrolled by the compiler, a pass takes several of the steps.
    const uint64_t Step = Phis.Step[K].lane(Lane);
    if (Threads > 1 && Step > 0 && Step % Threads == 0 &&
        endsLoop(Facts, Facts.Loops[Loop],
                 S.Blocks[Facts.Loops[Loop].Header].Phis[Affine[K]].Op))
      Least =
          std::min(Least, Executions < MaxProblemSize / Step ? Executions * Step
                                                             : MaxProblemSize);
  }
  if (Least < MaxProblemSize)
    Inputs.noteProblemSize(Least);
}

void WarpWalker::setInduction(uint32_t Loop, uint64_t Iteration, LaneMask Mask,
                              const Induction &Phis) {
  ArrayRef<uint32_t> Affine = S.Loops[Loop].AffinePhis;
  for (size_t K = 0; K < Affine.size(); ++K) {
    const SlicePhi &Phi = S.Blocks[Facts.Loops[Loop].Header].Phis[Affine[K]];
    uint64_t Bits =
        lowBits(std::max<uint8_t>(1, Facts.Operations[Phi.Op].Bits));
    // The step carries what the value rests on after an iteration.
    LaneValue Value = Phis.Step[K];
    const LaneValue &Start = Phis.Start[K];
    if (Value.Uniform && Start.Uniform) {
      Value.V[0] = (Start.V[0] + Iteration * Value.V[0]) & Bits;
    } else {
      Value.expand();
      for (unsigned L = 0; L < WarpLanes; ++L)
        Value.V[L] = (Start.lane(L) + Iteration * Value.V[L]) & Bits;
    }
    ++Steps;
    blend(Values[Phi.Dst], Value, Mask, Phi.LivesOutOfLoop ? Alive : Mask);
  }
}

/// Does one side of a comparison rest on values that nobody knows?
static bool isMadeUp(const std::pair<LaneValue, LaneValue> &Sides) {
  return isDrawn(Sides.first.taint()) || isDrawn(Sides.second.taint());
}

std::optional<WarpWalker::LaneCounts>
WarpWalker::solveExecutions(uint32_t Loop, LaneMask Mask, const ExitValues &At0,
                            const ExitValues &At1, bool &IsReplayed) {
  LaneCounts Executions = {};
  ArrayRef<LoopExit> Exits = S.Loops[Loop].Exits;
  const LoopState &State = Loops.back();
  for (unsigned L = 0; L < WarpLanes; ++L) {
    if (!((Mask >> L) & 1))
      continue;
    uint64_t Bound =
        State.ForcedExecutions ? State.forcedExecutions(L) : Unbounded;
    // Which lane stays longest is known where the lanes decide themselves.
    if (State.IsCounted && !State.LeavesByCount)
      Bound = State.ForcedExecutions;
    for (size_t I = 0; I < Exits.size(); ++I) {
      const LoopExit &E = Exits[I];
      LaneMask Both = At0.Reached[I] & At1.Reached[I];
      if (((Both >> L) & 1) && E.Swap != NoIndex)
        Bound = std::min(Bound, Values.swapTurn(E.Swap, L));
      if (!E.Affine || E.IsGuarded || !((Both >> L) & 1) ||
          (State.LeavesByCount && isMadeUp(At0.Sides[I])))
        continue;
      auto Fails =
          firstFailing(E.Stay, E.Bits, At0.Sides[I].first.lane(L),
                       At1.Sides[I].first.lane(L), At0.Sides[I].second.lane(L),
                       At1.Sides[I].second.lane(L));
      if (Fails)
        Bound = std::min(Bound, *Fails + 1);
    }
    Executions[L] = Bound;
  }
  if (S.Loops[Loop].Replay)
    IsReplayed = replayExits(*S.Loops[Loop].Replay, Mask, At0, At1, Executions);
  if (is_contained(Executions, Unbounded))
    return std::nullopt;
  return Executions;
}

/// Loop \p Loop makes an access that some of its iterations may leave out.
bool WarpWalker::hasGuardedAccess(uint32_t Loop) const {
  SmallVector<bool, 32> IsInEach(Facts.Blocks.size());
  uint32_t Block = Facts.Loops[Loop].Header;
  for (size_t Hops = 0; S.contains(Loop, Block) && Hops < Facts.Blocks.size();
       ++Hops) {
    IsInEach[Block] = true;
    Block = Facts.Blocks[Block].PostDominator;
    if (Block >= Facts.Blocks.size())
      break;
  }
  return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
    const uint32_t In = Facts.Operations[A.Op].Block;
    return isCachedSpace(A.Space) && S.contains(Loop, In) && !IsInEach[In];
  });
}

LaneMask WarpWalker::sampleIterations(LoopEntry &E) {
  const uint64_t First = Loops.back().Iteration;
  SmallVector<uint64_t, 8> Ends;
  for (unsigned L = 0; L < WarpLanes; ++L)
    if ((E.Going >> L) & 1)
      Ends.push_back(E.Executions[L]);
  std::sort(Ends.begin(), Ends.end());
  Ends.erase(std::unique(Ends.begin(), Ends.end()), Ends.end());

  const uint64_t Limit = iterationLimit();
  const uint64_t Length = std::max<uint64_t>(1, Ends.back() - First);
  if (S.Loops[E.Loop].IsUneven && Length > Limit)
    StepsLeftOut += (Length - Limit) * E.StepsPerIteration;
  LaneMask Left = 0;
  auto Walk = [&](uint64_t Iteration, uint64_t End, double RelativeWeight) {
    LaneMask Lanes = 0;
    for (unsigned L = 0; L < WarpLanes; ++L)
      if (((E.Going & Alive) >> L) & 1 && E.Executions[L] >= End)
        Lanes |= LaneMask(1) << L;
    if (!Lanes)
      return;
    Loops.back().Iteration = Iteration;
    setInduction(E.Loop, Iteration, Lanes, E.Phis);
    LaneMask Stayed = runIteration(Lanes, RelativeWeight);
    // Lanes that leave before their count leave for good.
    E.Going &= ~(Lanes & ~Stayed);
    Left = Stayed;
  };
  const bool ReachesEnds = Limits.ReachesEnds && hasGuardedAccess(E.Loop);
  uint64_t Begin = First;
  for (uint64_t End : Ends) {
    if (End <= Begin)
      continue;
    // The last iteration of the stretch stands for itself, since lanes leave.
    uint64_t Inner = End - 1 - Begin;
    uint64_t Samples =
        std::min(Inner, std::max<uint64_t>(1, Limit * Inner / Length));
    for (uint64_t J = 0; J < Samples; ++J) {
      // Out of effort, one iteration stands for all that are left: the middle
      // one, since what iterations do may grow or shrink evenly.
      const uint64_t Stands = outOfSteps() ? Samples - J : 1;
      uint64_t Low =
          Begin + uint64_t(double(Inner) * double(J) / double(Samples));
      uint64_t High = Begin + uint64_t(double(Inner) * double(J + Stands) /
                                       double(Samples));
      // Residues differ between samples, so alternating patterns are averaged.
      uint64_t Iteration = Low;
      if (Stands > 1)
        Iteration += (High - Low) / 2;
      else if (High - Low >= Samples)
        Iteration += (J * 5 + 3 + Samples - Low % Samples) % Samples;
      else if (High > Low)
        Iteration += scramble(J) % (High - Low);
      Walk(Iteration, End, double(Inner) / double(Samples) * double(Stands));
      J += Stands - 1;
    }
    // Copies are begun some iterations ahead, by far less than these.
    constexpr uint64_t FarthestAhead = 16;
    if (ReachesEnds)
      for (uint64_t Ahead = FarthestAhead; Ahead != 0; Ahead /= 2)
        if (Ahead < Inner)
          Walk(End - 1 - Ahead, End, 0);
    Walk(End - 1, End, 1);
    Begin = End;
  }
  return Left & E.Going & Alive;
}
