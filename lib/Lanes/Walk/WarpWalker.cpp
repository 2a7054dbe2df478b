//===- WarpWalker.cpp - One warp's way through the control flow -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/WarpWalker.h"
#include "gpuocc/Kernel/SlowPath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <bit>

using namespace gpuocc;
using namespace llvm;

/// Nesting of parted lanes beyond which a walk is given up.
static constexpr unsigned MaxDepth = 1000;

/// Evaluated operations of a warp that may go into following exits: some ten
/// stretches of each lane.
static constexpr uint64_t StretchEffort = 8192;

WarpWalker::WarpWalker(const KernelFacts &Facts, const Slice &S,
                       LaunchInputs &Inputs, const WalkLimits &Limits)
    : Facts(Facts), S(S), Inputs(Inputs), Limits(Limits),
      Memory(Limits.Memory ? *Limits.Memory : OwnMemory),
      Values(Facts, S, Inputs, Memory), TakesBranch(Facts.Branches.size()),
      RoundsUp(Facts.Loops.size()), KnownTurns(Facts.Loops.size(), 1) {}

void WarpWalker::walk(Dim3 BlockIndex, unsigned WarpInBlock, double WarpWeight,
                      WalkObserver &O) {
  Observer = &O;
  Memory.beginWarp(BlockIndex, WarpInBlock);
  Values.beginWarp(BlockIndex, WarpInBlock);
  Alive = Inputs.selectWarp(BlockIndex, WarpInBlock);
  Frames.clear();
  Loops.clear();
  Control = ControlTaint();
  Weight = WarpWeight;
  Steps = 0;
  StretchBudget = StretchEffort;
  Depth = 0;
  std::fill(TakesBranch.begin(), TakesBranch.end(), Quota());
  std::fill(KnownTurns.begin(), KnownTurns.end(), 1);
  if (!Facts.Blocks.empty())
    run(0, Alive, false);
  TotalSteps += Steps;
  Inputs.countSteps(Steps);
}

void WarpWalker::rehearse(Dim3 Block) {
  class Nobody : public WalkObserver {
  } Unseen;
  Memory.beginRehearsal(Block);
  for (unsigned Warp = 0; Warp != Inputs.warpsPerBlock(); ++Warp)
    walk(Block, Warp, 1, Unseen);
  Memory.endRehearsal();
}

void WarpWalker::run(uint32_t Block, LaneMask Mask, bool IsIterationStart) {
  if (++Depth > MaxDepth)
    Alive &= ~Mask;
  // A cycle that is no natural loop must end too.
  const uint64_t HardLimit = 4 * Limits.MaxSteps + 4 * Facts.Operations.size();
  while ((Mask &= Alive) && Block < Facts.Blocks.size()) {
    if (Steps > HardLimit) {
      Alive &= ~Mask;
      break;
    }
    if (!IsIterationStart) {
      if (Frame *Stop = findStop(Block)) {
        Stop->Arrived |= Mask;
        break;
      }
      if (InDetour && (*Limits.Reached)[Block])
        break;
      if (uint32_t Loop = S.Blocks[Block].HeaderOf; Loop != NoIndex) {
        Mask = runLoop(Loop, Mask, Block);
        continue;
      }
    }
    IsIterationStart = false;
    execute(Block, Mask);
    const BasicBlock &B = Facts.Blocks[Block];
    uint32_t Next = NoIndex;
    if (B.Branch < Facts.Branches.size()) {
      if (Facts.Branches[B.Branch].Indexed)
        indexedBranch(Block, Mask, Next);
      else
        branch(Block, Mask, Next);
    } else if (!B.Successors.empty()) {
      Next = B.Successors[0];
      takeEdge(Block, Next, Mask);
    } else {
      Alive &= ~Mask;
    }
    Block = Next;
  }
  --Depth;
}

WarpWalker::Frame *WarpWalker::findStop(uint32_t Block) {
  for (Frame &F : reverse(Frames))
    if (F.Stop == Block)
      return &F;
  return nullptr;
}

bool WarpWalker::mayJoinAt(uint32_t Block, uint32_t EnclosingLoop) {
  return Block < Facts.Blocks.size() && !findStop(Block) &&
         (EnclosingLoop == NoIndex || S.contains(EnclosingLoop, Block));
}

void WarpWalker::execute(uint32_t Block, LaneMask Mask) {
  ++Steps;
  if (Limits.Reached)
    (*Limits.Reached)[Block] = true;
  Observer->onBlock(Block, Mask, Weight);
  for (const SliceStep &Step : S.Blocks[Block].Steps) {
    switch (Step.What) {
    case SliceStep::Evaluate:
      ++Steps;
      Values.evaluate(S.Ops[Step.Index], {Mask, Alive, Control});
      if (!S.Ops[Step.Index].PathOperands.empty())
        noteSlowPath(S.Ops[Step.Index], Mask);
      if (Limits.TellsConditions) {
        if (S.Ops[Step.Index].Bits == 1)
          Observer->onCondition(Values.lanesWhere(S.Ops[Step.Index].Dst,
                                                  /*Negated=*/false, Mask));
        noteEquality(S.Ops[Step.Index], Mask);
      }
      break;
    case SliceStep::Access:
      access(Step.Index, Mask);
      break;
    case SliceStep::Barrier:
      Memory.passBarrier();
      break;
    }
  }
}

void WarpWalker::noteEquality(const SliceOp &Op, LaneMask Mask) {
  const bool IsEquality =
      Op.What == Semantics::Compare && (Op.Compare == ComparePredicate::EQ ||
                                        Op.Compare == ComparePredicate::NE);
  if ((!IsEquality && Op.What != Semantics::Xor) || Op.Src.size() != 2 ||
      Mask == 0)
    return;
  const LaneValue &Left = Values[Op.Src[0]], &Right = Values[Op.Src[1]];
  if (isDrawn(Left.taint() | Right.taint()))
    return;
  const unsigned Bits = IsEquality && Op.FromBits ? Op.FromBits : Op.Bits;
  if (Bits <= 1)
    return;
  auto Difference = [&](unsigned Lane) {
    return SignExtend64(Left.lane(Lane) - Right.lane(Lane), Bits);
  };
  Observer->onEquality(
      Op.Op, Difference(unsigned(std::countr_zero(Mask))),
      Difference(WarpLanes - 1 - unsigned(std::countl_zero(Mask))));
}

void WarpWalker::noteSlowPath(const SliceOp &Op, LaneMask Mask) {
  // Where the divisor is not known, it is one that needs no slow path.
  LaneValue One(Op.Bits == 64 ? bit_cast<uint64_t>(1.0)
                              : uint64_t(bit_cast<uint32_t>(1.0F)));
  const LaneValue &First = Values[Op.PathOperands[0]];
  const LaneValue *Second = &One;
  const Operation &Of = Facts.Operations[Op.Op];
  if (Op.PathOperands.size() > 1) {
    Second = &Values[Op.PathOperands[1]];
    if (isDrawn(Second->taint())) {
      if (Of.What != Semantics::FDiv)
        return;
      Second = &One;
    }
  }
  if (isDrawn(First.taint()))
    return;
  if (Op.Guard != NoIndex)
    Mask = Values.lanesWhere(Op.Guard, Op.GuardNegated, Mask);
  bool IsTaken = false;
  for (unsigned L = 0; L < WarpLanes && !IsTaken; ++L)
    IsTaken = ((Mask >> L) & 1) &&
              takesSlowPath(Of.What, Of.Bits, First.lane(L), Second->lane(L));
  Observer->onSlowPath(Op.Op, IsTaken, Weight);
}

void WarpWalker::access(uint32_t Index, LaneMask Mask) {
  ++Steps;
  const SliceAccess &A = S.Accesses[Index];
  const MemoryAccess &M = Facts.Accesses[Index];
  AccessEvent E;
  E.Access = Index;
  E.Reached = E.Active = Mask;
  E.ActiveTaint = Control.Shape;
  if (A.Guard != NoIndex) {
    E.Active = Values.lanesWhere(A.Guard, A.GuardNegated, Mask);
    E.ActiveTaint |= Values[A.Guard].Shape;
  }
  const LaneMask Writing = E.Active;
  // The first lane acts for those whose values were combined.
  if (M.Combining == LaneCombining::OneLane)
    E.Active &= 0 - E.Active;
  Values.findAddress(E);
  if (A.SharedBase != NoIndex) {
    E.SharedAddress = &Values[A.SharedBase];
    E.SharedOffsetBytes = M.SharedOffsetBytes;
  }
  if (A.Bytes != NoIndex)
    E.Bytes = &Values[A.Bytes];
  E.Weight = Weight;
  if (A.IsFollowed && !InDetour)
    Values.store(E, Writing, Control);
  if (A.Overwrites && !InDetour)
    Values.overwrite(E, Control);
  if (A.IsRetried)
    Values.swap(E, Loops.empty() ? 1 : Loops.back().Iteration + 1);
  Observer->onAccess(E);
}

void WarpWalker::takeEdge(uint32_t From, uint32_t To, LaneMask Mask) {
  if (To >= S.Blocks.size() || S.Blocks[To].Phis.empty())
    return;
  // Lanes that wait at the end of the edge keep their values; what lanes hold
  // that come there later does not matter.
  LaneMask Waiting = 0;
  TaintMask Base = 0, Shape = 0;
  if (const Frame *Stop = findStop(To)) {
    Waiting = Stop->Arrived;
    if (Stop->IsHeader) {
      // Those that come to the end of the turn later are still in it.
      Waiting |= Pending;
    } else {
      Base = Control.Base & ~Stop->Before.Base;
      Shape = Control.Shape & ~Stop->Before.Shape;
    }
  }
  // What they are chosen from behind a loop is of the turn that it ended with.
  for (const LoopState &State : Loops)
    if (S.contains(State.Loop, From) && !S.contains(State.Loop, To))
      Base |= State.ValueTaint & DataTaint;
  // All phis read before any is written.
  SmallVector<std::pair<const SlicePhi *, LaneValue>, 4> Moves;
  for (const SlicePhi &Phi : S.Blocks[To].Phis)
    for (auto [Pred, Slot] : Phi.In)
      if (Pred == From) {
        Moves.push_back({&Phi, Values[Slot]});
        break;
      }
  for (auto &[Phi, Value] : Moves) {
    ++Steps;
    if (Base && !Value.Base)
      Value.BaseAlignLog2 = 0;
    Value.Base |= Base;
    Value.Shape |= Shape;
    blend(Values[Phi->Dst], Value, Mask,
          Phi->LivesOutOfLoop ? Alive : Mask | Waiting);
  }
}

void WarpWalker::noteExitReached(uint32_t Branch, LaneMask Mask) {
  for (LoopState &State : Loops) {
    // Two iterations tell how the sides grow.
    if (State.Iteration > 1)
      continue;
    ArrayRef<LoopExit> Exits = S.Loops[State.Loop].Exits;
    for (size_t I = 0; I < Exits.size(); ++I) {
      if (Exits[I].Branch != Branch)
        continue;
      LaneMask &Reached = State.Exits.Reached[I];
      if (Exits[I].Affine) {
        auto &[Left, Right] = State.Exits.Sides[I];
        blend(Left, Values[Exits[I].Left], Mask, Reached | Mask);
        blend(Right, Values[Exits[I].Right], Mask, Reached | Mask);
      }
      Reached |= Mask;
    }
  }
}

bool WarpWalker::decideDataExit(uint32_t Block, const Branch &B, LaneMask Mask,
                                bool IsData, LaneMask &Taken) {
  for (LoopState &State : reverse(Loops)) {
    if (B.Targets.size() < 2 || !S.contains(State.Loop, Block))
      continue;
    bool FirstStays = S.contains(State.Loop, B.Targets[0]);
    bool SecondStays = S.contains(State.Loop, B.Targets[1]);
    if (FirstStays == SecondStays)
      continue;
    const auto *Exit =
        find_if(S.Loops[State.Loop].Exits,
                [&](const LoopExit &E) { return E.Block == Block; });
    // A bound that was to be evaluated and turns out to be made up.
    if (!IsData && Exit != S.Loops[State.Loop].Exits.end() && Exit->Affine &&
        &State == &Loops.back() && State.Iteration == 0 &&
        State.ForcedExecutions == 0)
      decideByCount(State.Loop, /*HasData=*/true);
    if (!IsData && !State.IsCounted)
      return false;
    if (Exit != S.Loops[State.Loop].Exits.end() && Exit->leavesSoon()) {
      if (!Exit->IsBeforeSwap || !InFirstWave || State.Iteration > 0 ||
          Inputs.probability(Exit->Branch))
        return false;
      Taken = FirstStays ? Mask : 0;
      return true;
    }
    LaneMask Leaving = 0;
    if (Exit != S.Loops[State.Loop].Exits.end() && Exit->Known != NoIndex)
      Leaving = Values.lanesWhere(Exit->Known, Exit->StayIfKnown, Mask);
    for (unsigned L = 0; L < WarpLanes && State.ForcedExecutions; ++L)
      if (State.Iteration + 1 >= State.forcedExecutions(L))
        Leaving |= LaneMask(1) << L;
    const LaneMask Decided = (FirstStays ? ~Leaving : Leaving) & Mask;
    // Where a count ends a loop that its values do not, these are not those of
    // the end: another block may have done what is left.
    constexpr TaintMask Unknown = DataTaint | OpaqueTaint;
    if (State.IsCounted && Decided != Taken &&
        !(Values[S.Blocks[Block].Condition].taint() & Unknown))
      State.ValueTaint |= DataTaint;
    Taken = Decided;
    return true;
  }
  return false;
}

bool WarpWalker::isLeftByCount(uint32_t Block) const {
  for (const LoopState &State : reverse(Loops))
    if (State.IsCountAlone || (State.IsCounted && State.HasDrawn))
      for (const LoopExit &E : S.Loops[State.Loop].Exits)
        if (E.Block == Block && !E.Affine && !E.leavesSoon())
          return true;
  return false;
}

double WarpWalker::shareOf(const RecordTurns &Record) const {
  double Before = 0, Rank = Record.Rank;
  for (const LoopState &State : Loops) {
    const double Turn = double(State.Iteration) + State.LeftOut;
    if (is_contained(Record.Loops, State.Loop))
      Before = Before * double(KnownTurns[State.Loop]) + Turn;
    if (State.Loop == Record.RankLoop)
      Rank += Turn * Record.RanksPerTurn;
  }
  Before = Before * Record.ValuesPerTurn + Record.ValuesBefore;
  return std::min(1.0, Rank / (Before + 1));
}

void WarpWalker::branch(uint32_t Block, LaneMask &Mask, uint32_t &Next) {
  uint32_t Index = Facts.Blocks[Block].Branch;
  const Branch &B = Facts.Branches[Index];
  const LaneValue &Condition = Values[S.Blocks[Block].Condition];
  LaneMask Taken =
      Values.lanesWhere(S.Blocks[Block].Condition, B.Negated, Mask);
  TaintMask Base = Condition.Base, Shape = Condition.Shape;
  noteExitReached(Index, Mask);
  bool IsExit = false;
  if (Condition.taint() & (DataTaint | OpaqueTaint) || isLeftByCount(Block)) {
    const bool IsDecided = S.Blocks[Block].ConditionIsData;
    IsExit = decideDataExit(Block, B, Mask, IsDecided, Taken);
    if (IsExit)
      (Shape & (DataTaint | OpaqueTaint) ? Shape : Base) |= TripTaint;
    else if (Limits.SidesOfBlock && (*Limits.SidesOfBlock)[Index])
      Taken = *(*Limits.SidesOfBlock)[Index] ? Mask : 0;
    else if (const std::optional<double> Share = Inputs.probability(Index))
      Taken = Shape & (DataTaint | OpaqueTaint)
                  ? TakesBranch[Index].takeLanes(*Share, Mask)
              : TakesBranch[Index].take(*Share) ? Mask
                                                : 0;
    else if (IsDecided && S.Blocks[Block].Probability)
      Taken = TakesBranch[Index].take(S.Blocks[Block].Probability->Value) ? Mask
                                                                          : 0;
    else if (const std::optional<RecordTurns> &Record =
                 S.Blocks[Block].Record) {
      const LaneMask Replacing =
          TakesBranch[Index].takeLanes(shareOf(*Record), Mask);
      Taken = Record->Side == 0 ? Replacing : Mask & ~Replacing;
    }
  }
  // What rests on the counts of a walk alone is as it was in the run.
  constexpr TaintMask OfWalk = TripTaint | EffortTaint | ApproximateTaint;
  if (!IsExit && Condition.taint() & ~OfWalk)
    for (LoopState &State : Loops)
      State.HasDrawn = true;
  for (uint32_t Left : S.Blocks[Block].Leaves)
    for (LoopState &State : Loops)
      if (State.Loop == Left) {
        State.ExitTaint |= Base | Shape;
        State.ExitShape |= Shape;
      }
  if (const std::optional<SliceBound> &Bound = S.Blocks[Block].Bound)
    Values.narrow(*Bound, Bound->IfHolds != B.Negated ? Taken : Mask & ~Taken);
  BranchEvent E;
  E.Branch = Index;
  E.Active = Mask;
  E.Taken = Taken;
  E.Base = Base;
  E.Shape = Shape;
  E.Weight = Weight;
  Observer->onBranch(E);
  detour(Block, B.Targets, Mask);
  uint32_t IfTaken = B.Targets.empty() ? NoIndex : B.Targets[0];
  uint32_t IfNot = B.Targets.size() < 2 ? NoIndex : B.Targets[1];
  LaneMask Rest = Mask & ~Taken;
  if ((Taken == 0 || Rest == 0) && !(Base | Shape)) {
    Next = Taken ? IfTaken : IfNot;
    if (Next == NoIndex)
      Alive &= ~Mask;
    else
      takeEdge(Block, Next, Mask);
    return;
  }
  part(Block, {{IfTaken, Taken}, {IfNot, Rest}}, Base, Shape, Mask, Next);
}

void WarpWalker::indexedBranch(uint32_t Block, LaneMask &Mask, uint32_t &Next) {
  uint32_t Index = Facts.Blocks[Block].Branch;
  const Branch &B = Facts.Branches[Index];
  const LaneValue &Value = Values[S.Blocks[Block].Condition];
  SmallVector<std::pair<uint32_t, LaneMask>, 4> Sides;
  for (uint32_t Target : B.Targets)
    Sides.push_back({Target, 0});
  for (unsigned L = 0; L < WarpLanes && !Sides.empty(); ++L)
    if ((Mask >> L) & 1)
      Sides[Value.lane(L) % Sides.size()].second |= LaneMask(1) << L;
  BranchEvent E;
  E.Branch = Index;
  E.Active = Mask;
  // The largest group stands for "taken".
  for (auto &[Target, Lanes] : Sides)
    if (numLanes(Lanes) > numLanes(E.Taken))
      E.Taken = Lanes;
  E.Base = Value.Base;
  E.Shape = Value.Shape;
  E.Weight = Weight;
  Observer->onBranch(E);
  detour(Block, B.Targets, Mask);
  part(Block, Sides, Value.Base, Value.Shape, Mask, Next);
}

void WarpWalker::detour(uint32_t From, ArrayRef<uint32_t> Targets,
                        LaneMask Mask) {
  if (!Limits.Reached)
    return;
  const LaneValue &Condition = Values[S.Blocks[From].Condition];
  TaintMask Shape = Condition.Shape;
  // Lanes of other warps may go where those of this one do not.
  if (!Condition.Uniform && Shape == 0) {
    if (!Limits.DetoursFromKnownLanes)
      return;
    Shape = EffortTaint;
  }
  const TaintMask Base = Condition.Base;
  for (uint32_t To : Targets) {
    if (To >= Facts.Blocks.size() || (*Limits.Reached)[To] || outOfSteps())
      continue;
    const WarpValues::Saved ValuesBefore = Values.save();
    const auto FramesBefore = Frames;
    const auto LoopsBefore = Loops;
    const LaneMask AliveBefore = Alive;
    const ControlTaint ControlBefore = Control;
    const bool WasInDetour = InDetour;
    // Copying a slot costs about an eighth of evaluating one.
    Steps += Values.numSlots() / 8;
    InDetour = true;
    Control.Base |= Base;
    Control.Shape |= Shape;
    takeEdge(From, To, Mask);
    run(To, Mask, false);
    InDetour = WasInDetour;
    Control = ControlBefore;
    Alive = AliveBefore;
    // Callers hold references to their elements.
    Loops = LoopsBefore;
    Frames = FramesBefore;
    Values.restore(ValuesBefore);
  }
}

void WarpWalker::part(uint32_t From,
                      ArrayRef<std::pair<uint32_t, LaneMask>> Sides,
                      TaintMask Base, TaintMask Shape, LaneMask &Mask,
                      uint32_t &Next) {
  uint32_t Join = Facts.Blocks[From].PostDominator;
  bool OwnsJoin = mayJoinAt(Join, S.Nest.innermost(From));
  const ControlTaint Before = Control;
  Control.Base |= Base;
  Control.Shape |= Shape;
  if (OwnsJoin)
    Frames.push_back({Join, 0, Before, false});
  const LaneMask PendingBefore = Pending;
  for (const auto &Side : Sides)
    Pending |= Side.second;
  for (auto [Target, Lanes] : Sides) {
    Pending &= ~Lanes | PendingBefore;
    if (!Lanes)
      continue;
    if (Target >= Facts.Blocks.size()) {
      Alive &= ~Lanes;
      continue;
    }
    takeEdge(From, Target, Lanes);
    run(Target, Lanes, false);
  }
  Pending = PendingBefore;
  Mask = 0;
  Next = NoIndex;
  if (OwnsJoin) {
    Mask = Frames.back().Arrived;
    Next = Join;
    Frames.pop_back();
  }
  Control = Before;
}
