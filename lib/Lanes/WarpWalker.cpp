//===- WarpWalker.cpp - One warp's way through the control flow -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpWalker.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// Nesting of parted lanes beyond which a walk is given up.
static constexpr unsigned MaxDepth = 1000;

WarpWalker::WarpWalker(const KernelFacts &Facts, const Slice &S,
                       LaunchInputs &Inputs, const WalkLimits &Limits)
    : Facts(Facts), S(S), Inputs(Inputs), Limits(Limits), Slots(S.NumSlots),
      LeftLoop(S.Loops.size()), BranchDebt(Facts.Branches.size()),
      CompareDebt(S.NumSlots),
      Memory(Limits.Memory ? *Limits.Memory : OwnMemory),
      NumbersTaken(S.NumSlots) {
  for (auto [Slot, Imm] : S.Constants)
    Slots[Slot] = LaneValue(uint64_t(Imm));
  for (uint32_t Slot : S.Undefined)
    Slots[Slot].Base = OpaqueTaint;
  for (auto [Slot, Symbol] : S.Symbols)
    Slots[Slot] = Inputs.symbol(Symbol);
}

void WarpWalker::walk(Dim3 Block, unsigned Warp, double WarpWeight,
                      WalkObserver &O) {
  Observer = &O;
  BlockIndex = Block;
  WarpInBlock = Warp;
  Memory.beginWarp(Block, Warp);
  std::fill(NumbersTaken.begin(), NumbersTaken.end(), 0);
  Alive = Inputs.selectWarp(BlockIndex, WarpInBlock);
  Frames.clear();
  Loops.clear();
  ControlBase = ControlShape = 0;
  Weight = WarpWeight;
  Steps = Coins = 0;
  Depth = 0;
  // Half an execution rounds to the nearest.
  std::fill(BranchDebt.begin(), BranchDebt.end(), 0.5);
  std::fill(CompareDebt.begin(), CompareDebt.end(), 0.5);
  WarpKey =
      scramble(BlockIndex.X + (BlockIndex.Y << 20) + (BlockIndex.Z << 40)) +
      WarpInBlock;
  if (!Facts.Blocks.empty())
    run(0, Alive, false);
  TotalSteps += Steps;
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
      evaluate(S.Ops[Step.Index], Mask);
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

LaneMask WarpWalker::lanesWhere(uint32_t Slot, bool Negated,
                                LaneMask Mask) const {
  const LaneValue &P = Slots[Slot];
  LaneMask Holds = 0;
  if (P.Uniform)
    Holds = P.V[0] & 1 ? AllLanes : 0;
  else
    for (unsigned L = 0; L < WarpLanes; ++L)
      Holds |= LaneMask(P.V[L] & 1) << L;
  return (Negated ? ~Holds : Holds) & Mask;
}

void WarpWalker::evaluate(const SliceOp &Op, LaneMask Mask) {
  ++Steps;
  LaneMask Written = Mask;
  if (Op.Guard != NoIndex)
    Written = lanesWhere(Op.Guard, Op.GuardNegated, Mask);
  // Lanes that left a loop, or whose guard fails, keep what they had.
  bool Partial = (Op.LivesOutOfLoop && (Mask & Alive) != Alive) ||
                 (Op.Guard != NoIndex && Written != Mask);
  SmallVector<const LaneValue *, 4> Operands;
  for (uint32_t Source : Op.Src)
    Operands.push_back(&Slots[Source]);
  for (unsigned Result = 0; Result < Op.NumResults; ++Result) {
    LaneValue &Slot = Slots[Op.Dst + Result];
    if (!Partial) {
      compute(Op, Result, Operands, Mask, Slot);
      continue;
    }
    LaneValue Out;
    compute(Op, Result, Operands, Mask, Out);
    blend(Slot, Out, Written, Alive);
  }
}

void WarpWalker::compute(const SliceOp &Op, unsigned Result,
                         ArrayRef<const LaneValue *> Operands, LaneMask Mask,
                         LaneValue &Out) {
  switch (Op.What) {
  case Semantics::SReg:
    Out = Inputs.specialRegister(Op.SReg);
    break;
  case Semantics::Param:
    Out = Inputs.parameter(Op);
    break;
  case Semantics::Load:
    load(Op, Result, Mask, Out);
    break;
  case Semantics::ActiveMask:
    Out = LaneValue(uint64_t(Mask));
    Out.Base = ControlBase | ControlShape;
    break;
  case Semantics::Opaque:
    opaque(Op, Result, Out);
    break;
  default:
    evaluateLanes(Op, Result, Operands, Mask, Out);
    break;
  }
  // What loaded values only had a choice of is compared as it was chosen.
  if ((Op.What == Semantics::Compare || Op.What == Semantics::FCompare) &&
      (Op.Compare == ComparePredicate::Other || (Out.taint() & UnseenTaint) ||
       ((Op.Traits.Data || Op.Traits.Opaque) && !Op.OfConditions &&
        (Out.taint() & (DataTaint | OpaqueTaint)))))
    flipCoins(Op, Operands, Out);
  if (Op.LeavesLoop != NoIndex) {
    const LoopTaint &Left = LeftLoop[Op.LeavesLoop];
    if (Left.Base && !Out.Base)
      Out.BaseAlignLog2 = 0;
    Out.Base |= Left.Base;
    Out.Shape |= Left.Shape;
  }
}

void WarpWalker::lookUp(const SliceOp &Op, unsigned Result, LaneMask Mask,
                        LaneValue &Out) {
  constexpr TaintMask Unknown = DataTaint | OpaqueTaint;
  const MemoryAccess &M = Facts.Accesses[Facts.Operations[Op.Op].Access];
  const LaneValue &Address = Slots[Op.Src[0]];
  const unsigned Bytes = std::max(1u, M.BytesPerLane / Op.NumResults);
  const uint64_t Offset = uint64_t(Op.Imm) + uint64_t(Result) * Bytes;
  const bool IsLocal = S.Accesses[Facts.Operations[Op.Op].Access].IsLocal;
  const bool IsUniform = Address.Uniform && !IsLocal;
  Out.Uniform = IsUniform;
  Out.Base = Address.Base;
  Out.Shape = Address.Shape;
  Out.BaseAlignLog2 = 0;
  for (unsigned L = 0; L < (IsUniform ? 1 : WarpLanes); ++L) {
    Out.V[L] = 0;
    if (!IsUniform && !((Mask >> L) & 1))
      continue;
    const uint64_t At = Address.lane(L) + Offset;
    std::optional<WalkMemory::Value> Found;
    if (!(Address.taint() & Unknown))
      Found = IsLocal ? Memory.loadLocal(L, At, Bytes)
                      : Memory.loadShared(At, Bytes);
    if (!Found)
      Found = {scramble(At), DataTaint | UnseenTaint};
    Out.V[L] = Found->Bits & lowBits(Op.Bits);
    (IsUniform ? Out.Base : Out.Shape) |= Found->Taint;
  }
}

void WarpWalker::takeNumber(const SliceOp &Op, LaneMask Mask, LaneValue &Out) {
  const MemoryAccess &M = Facts.Accesses[Facts.Operations[Op.Op].Access];
  const uint64_t Blocks =
      M.Space == MemorySpace::Shared ? 1 : Inputs.grid().count();
  const Dim3 Grid = Inputs.grid();
  const uint64_t Block =
      Blocks == 1
          ? 0
          : BlockIndex.X + Grid.X * (BlockIndex.Y + Grid.Y * BlockIndex.Z);
  // A lone lane of the first warp acts for its block, of another one for its
  // warp.
  const bool IsLone = numLanes(Mask) == 1;
  const uint64_t PerBlock = IsLone && WarpInBlock == 0 ? 1
                            : IsLone ? Inputs.warpsPerBlock()
                                     : Inputs.warpsPerBlock() * WarpLanes;
  const uint64_t First = NumbersTaken[Op.Dst]++ * Blocks * PerBlock +
                         Block * PerBlock +
                         (IsLone ? WarpInBlock : WarpInBlock * WarpLanes);
  const bool Wraps = M.AtomicOp == "inc";
  const TaintMask Order = Inputs.assumeOrder();
  Out.Uniform = false;
  Out.Base = Wraps ? 0 : Order;
  Out.Shape = Wraps ? Order : 0;
  Out.BaseAlignLog2 = 0;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    const uint64_t Number = First + numLanes(Mask & ((LaneMask(1) << L) - 1));
    const uint64_t Amount = Slots[Op.Src[1]].lane(L);
    Out.V[L] =
        (Wraps ? Number % (Amount + 1) : Number * Amount) & lowBits(Op.Bits);
  }
}

void WarpWalker::remember(const AccessEvent &E, const SliceAccess &A) {
  constexpr TaintMask Unknown = DataTaint | OpaqueTaint;
  const MemoryAccess &M = Facts.Accesses[E.Access];
  const unsigned Bytes =
      std::max<unsigned>(1, M.BytesPerLane / unsigned(A.Stored.size()));
  if (E.Address->taint() & Unknown) {
    if (A.IsLocal)
      Memory.forgetLocal();
    else
      Memory.forgetShared();
    return;
  }
  for (unsigned I = 0; I < A.Stored.size(); ++I) {
    const LaneValue &Stored = Slots[A.Stored[I]];
    const TaintMask Taint =
        Stored.taint() | E.Address->taint() | ControlBase | ControlShape;
    for (unsigned L = 0; L < WarpLanes; ++L) {
      if (!((E.Active >> L) & 1))
        continue;
      const uint64_t At =
          E.Address->lane(L) + uint64_t(E.OffsetBytes) + uint64_t(I) * Bytes;
      const WalkMemory::Value V = {Stored.lane(L), Taint};
      if (A.IsLocal)
        Memory.storeLocal(L, At, Bytes, V);
      else
        Memory.storeShared(At, Bytes, V);
    }
  }
}

void WarpWalker::load(const SliceOp &Op, unsigned Result, LaneMask Mask,
                      LaneValue &Out) {
  if (Op.IsFollowed)
    return lookUp(Op, Result, Mask, Out);
  if (Op.IsCounter)
    return takeNumber(Op, Mask, Out);
  const LaneValue *Address = Op.Src.empty() ? nullptr : &Slots[Op.Src[0]];
  // An atomic gives every lane another value.
  bool Uniform = Address && Address->isKnownUniform() &&
                 !(Facts.Operations[Op.Op].Access < Facts.Accesses.size() &&
                   Facts.Accesses[Facts.Operations[Op.Op].Access].Kind ==
                       AccessKind::Atomic);
  // Equal addresses hold equal values. Small types span their range; wider
  // ones are taken for indices of things that threads work on.
  uint64_t Range = Op.Bits <= 16
                       ? lowBits(Op.Bits) + 1
                       : std::clamp<uint64_t>(Inputs.numThings(), 1, 1u << 30);
  auto Value = [&](uint64_t Lane) {
    uint64_t Key = scramble((Address ? Address->lane(unsigned(Lane)) : Lane) +
                            uint64_t(Op.Imm) + Result);
    if (!Address)
      Key = scramble(Key + Op.Op);
    if (Op.IsPointerRoot && Op.Bits == 64)
      return LaunchInputs::loadedPointer(Key);
    return Key % Range;
  };
  Out.Uniform = Uniform;
  Out.Base = Uniform ? DataTaint : 0;
  Out.Shape = Uniform ? 0 : DataTaint;
  Out.BaseAlignLog2 = 0;
  for (unsigned L = 0; L < (Uniform ? 1 : WarpLanes); ++L)
    Out.V[L] = Value(L);
}

void WarpWalker::opaque(const SliceOp &Op, unsigned Result, LaneValue &Out) {
  TaintMask Taint =
      (Op.Traits.Data ? DataTaint : 0) | (Op.Traits.Opaque ? OpaqueTaint : 0);
  if (!Taint)
    Taint = OpaqueTaint;
  uint64_t Key = scramble((uint64_t(Op.Op) << 8) + Result +
                          (Op.Bits == 1 ? ++Coins << 40 : WarpKey << 8));
  Out.Uniform = !Op.Traits.Varying;
  Out.Base = Out.Uniform ? Taint : 0;
  Out.Shape = Out.Uniform ? 0 : Taint;
  Out.BaseAlignLog2 = 0;
  const unsigned NumValues = Out.Uniform ? 1 : WarpLanes;
  if (Op.Bits == 1) {
    drawCondition(Op, Key, Out);
    return;
  }
  const uint64_t Range = std::clamp<uint64_t>(Inputs.numThings(), 1, 1u << 30);
  for (unsigned L = 0; L < NumValues; ++L)
    Out.V[L] = ((scramble(Key + L) >> 32) * Range) >> 32;
}

void WarpWalker::flipCoins(const SliceOp &Op,
                           ArrayRef<const LaneValue *> Operands,
                           LaneValue &Out) {
  constexpr TaintMask Unknown = DataTaint | OpaqueTaint;
  if (!Out.taint())
    (Op.Traits.Varying ? Out.Shape : Out.Base) |= OpaqueTaint;
  // Heuristic: a known value compared with an unknown common bound is a bounds
  // check, and those pass (PolyBench, Rodinia: `i < n` with n in memory).
  if (Operands.size() == 2 && !(Operands[0]->taint() & Unknown) &&
      Operands[1]->Uniform && !(Operands[1]->Shape & Unknown)) {
    switch (Op.Compare) {
    case ComparePredicate::LTS:
    case ComparePredicate::LES:
    case ComparePredicate::LTU:
    case ComparePredicate::LEU:
      Out.Uniform = true;
      Out.V[0] = 1;
      return;
    case ComparePredicate::GTS:
    case ComparePredicate::GES:
    case ComparePredicate::GTU:
    case ComparePredicate::GEU:
      Out.Uniform = true;
      Out.V[0] = 0;
      return;
    default:
      break;
    }
  }
  Out.Uniform = !(Out.Shape & Unknown);
  drawCondition(Op, scramble((uint64_t(Op.Op) << 32) + ++Coins), Out);
}

void WarpWalker::drawCondition(const SliceOp &Op, uint64_t Key,
                               LaneValue &Out) {
  if (Op.Prior.ForWarp) {
    Out.Uniform = true;
    Out.V[0] = holdsBy(Op.Prior.Share, CompareDebt[Op.Dst]);
    return;
  }
  for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L)
    Out.V[L] = double(scramble(Key + L) >> 32) < std::ldexp(Op.Prior.Share, 32);
}

const LaneValue *WarpWalker::insideObject(uint32_t Access,
                                          const LaneValue &Address) {
  constexpr TaintMask Unknown = DataTaint | OpaqueTaint;
  const MemoryAccess &M = Facts.Accesses[Access];
  LaunchInputs::Extent Memory = Inputs.extentOf(M.Space);
  const uint64_t Width = std::max(1u, M.BytesPerLane);
  if (!(Address.taint() & Unknown))
    return &Address;
  if (const uint64_t Given = Inputs.places(Access)) {
    Memory.Start = Address.V[0] >> ObjectWindowLog2 << ObjectWindowLog2;
    Memory.Bytes = Given * Width;
  }
  if (Memory.Bytes < Width)
    return &Address;
  const uint64_t Places = Memory.Bytes / Width;
  Inside = Address;
  for (unsigned L = 0; L < (Address.Uniform ? 1 : WarpLanes); ++L) {
    const int64_t Offset =
        int64_t(Address.V[L] + uint64_t(M.OffsetBytes) - Memory.Start);
    if (Offset < 0 || uint64_t(Offset) + Width > Memory.Bytes)
      Inside.V[L] = Memory.Start + uint64_t(Offset) / Width % Places * Width;
    else
      Inside.V[L] = Memory.Start + uint64_t(Offset);
  }
  return &Inside;
}

void WarpWalker::access(uint32_t Index, LaneMask Mask) {
  ++Steps;
  const SliceAccess &A = S.Accesses[Index];
  const MemoryAccess &M = Facts.Accesses[Index];
  AccessEvent E;
  E.Access = Index;
  E.Reached = E.Active = Mask;
  E.ActiveTaint = ControlShape;
  if (A.Guard != NoIndex) {
    E.Active = lanesWhere(A.Guard, A.GuardNegated, Mask);
    E.ActiveTaint |= Slots[A.Guard].Shape;
  }
  // The first lane acts for those whose values were combined.
  if (M.Combining == LaneCombining::OneLane)
    E.Active &= 0 - E.Active;
  E.Address = insideObject(Index, Slots[A.Base]);
  E.OffsetBytes = E.Address == &Inside ? 0 : M.OffsetBytes;
  if (A.SharedBase != NoIndex) {
    E.SharedAddress = &Slots[A.SharedBase];
    E.SharedOffsetBytes = M.SharedOffsetBytes;
  }
  E.Weight = Weight;
  if (A.IsFollowed && !InDetour)
    remember(E, A);
  Observer->onAccess(E);
}

void WarpWalker::takeEdge(uint32_t From, uint32_t To, LaneMask Mask) {
  if (To >= S.Blocks.size() || S.Blocks[To].Phis.empty())
    return;
  // Lanes that wait at the end of the edge keep their values; what other lanes
  // hold does not matter.
  LaneMask Waiting = 0;
  TaintMask Base = 0, Shape = 0;
  if (const Frame *Stop = findStop(To)) {
    Waiting = Stop->Arrived;
    if (!Stop->IsHeader) {
      Base = ControlBase & ~Stop->BaseBefore;
      Shape = ControlShape & ~Stop->ShapeBefore;
    }
  }
  // All phis read before any is written.
  SmallVector<std::pair<const SlicePhi *, LaneValue>, 4> Moves;
  for (const SlicePhi &Phi : S.Blocks[To].Phis)
    for (auto [Pred, Slot] : Phi.In)
      if (Pred == From) {
        Moves.push_back({&Phi, Slots[Slot]});
        break;
      }
  for (auto &[Phi, Value] : Moves) {
    ++Steps;
    if (Base && !Value.Base)
      Value.BaseAlignLog2 = 0;
    Value.Base |= Base;
    Value.Shape |= Shape;
    blend(Slots[Phi->Dst], Value, Mask,
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
        blend(Left, Slots[Exits[I].Left], Mask, Reached | Mask);
        blend(Right, Slots[Exits[I].Right], Mask, Reached | Mask);
      }
      Reached |= Mask;
    }
  }
}

bool WarpWalker::decideDataExit(uint32_t Block, const Branch &B, LaneMask Mask,
                                LaneMask &Taken) {
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
    if (Exit != S.Loops[State.Loop].Exits.end() && Exit->leavesSoon())
      return false;
    LaneMask Leaving = 0;
    if (Exit != S.Loops[State.Loop].Exits.end() && Exit->Known != NoIndex)
      Leaving = lanesWhere(Exit->Known, Exit->StayIfKnown, Mask);
    for (unsigned L = 0; L < WarpLanes && State.ForcedExecutions; ++L)
      if (State.Iteration + 1 >= State.forcedExecutions(L))
        Leaving |= LaneMask(1) << L;
    Taken = (FirstStays ? ~Leaving : Leaving) & Mask;
    return true;
  }
  return false;
}

bool WarpWalker::holdsBy(double Share, double &Debt) {
  Debt += Share;
  if (Debt < 1)
    return false;
  Debt -= 1;
  return true;
}

LaneMask WarpWalker::takenBy(double Share, double &Debt, LaneMask Mask,
                             bool ForWarp) {
  if (ForWarp)
    return holdsBy(Share, Debt) ? Mask : 0;
  LaneMask Taken = 0;
  for (LaneMask Left = Mask; Left; Left &= Left - 1)
    if (holdsBy(Share, Debt))
      Taken |= Left & (0 - Left);
  return Taken;
}

void WarpWalker::branch(uint32_t Block, LaneMask &Mask, uint32_t &Next) {
  uint32_t Index = Facts.Blocks[Block].Branch;
  const Branch &B = Facts.Branches[Index];
  const LaneValue &Condition = Slots[S.Blocks[Block].Condition];
  LaneMask Taken = lanesWhere(S.Blocks[Block].Condition, B.Negated, Mask);
  TaintMask Base = Condition.Base, Shape = Condition.Shape;
  noteExitReached(Index, Mask);
  if (S.Blocks[Block].ConditionIsData &&
      Condition.taint() & (DataTaint | OpaqueTaint)) {
    if (decideDataExit(Block, B, Mask, Taken))
      (Shape & (DataTaint | OpaqueTaint) ? Shape : Base) |= TripTaint;
    else if (const double Share = Inputs.odds(Index); Share >= 0)
      Taken = takenBy(Share, BranchDebt[Index], Mask,
                      !(Shape & (DataTaint | OpaqueTaint)));
    else if (B.TakenPrior != 0.5)
      Taken = holdsBy(B.TakenPrior, BranchDebt[Index]) ? Mask : 0;
  }
  for (LoopState &State : Loops)
    if (B.Targets.size() == 2 && S.contains(State.Loop, Block) &&
        S.contains(State.Loop, B.Targets[0]) !=
            S.contains(State.Loop, B.Targets[1])) {
      State.ExitTaint |= Base | Shape;
      State.ExitShape |= Shape;
    }
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
  const LaneValue &Value = Slots[S.Blocks[Block].Condition];
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
  const LaneValue &Condition = Slots[S.Blocks[From].Condition];
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
    const auto SlotsBefore = Slots;
    const auto FramesBefore = Frames;
    const auto LoopsBefore = Loops;
    const auto LeftBefore = LeftLoop;
    const LaneMask AliveBefore = Alive;
    const TaintMask BaseBefore = ControlBase, ShapeBefore = ControlShape;
    const bool WasInDetour = InDetour;
    // Copying a slot costs about an eighth of evaluating one.
    Steps += Slots.size() / 8;
    InDetour = true;
    ControlBase |= Base;
    ControlShape |= Shape;
    takeEdge(From, To, Mask);
    run(To, Mask, false);
    InDetour = WasInDetour;
    ControlBase = BaseBefore;
    ControlShape = ShapeBefore;
    Alive = AliveBefore;
    // Callers hold references to their elements.
    LeftLoop = LeftBefore;
    Loops = LoopsBefore;
    Frames = FramesBefore;
    Slots = SlotsBefore;
  }
}

void WarpWalker::part(uint32_t From,
                      ArrayRef<std::pair<uint32_t, LaneMask>> Sides,
                      TaintMask Base, TaintMask Shape, LaneMask &Mask,
                      uint32_t &Next) {
  uint32_t Join = Facts.Blocks[From].PostDominator;
  bool OwnsJoin = mayJoinAt(Join, S.InnermostLoop[From]);
  TaintMask BaseBefore = ControlBase, ShapeBefore = ControlShape;
  ControlBase |= Base;
  ControlShape |= Shape;
  if (OwnsJoin)
    Frames.push_back({Join, 0, BaseBefore, ShapeBefore, false});
  for (auto [Target, Lanes] : Sides) {
    if (!Lanes)
      continue;
    if (Target >= Facts.Blocks.size()) {
      Alive &= ~Lanes;
      continue;
    }
    takeEdge(From, Target, Lanes);
    run(Target, Lanes, false);
  }
  Mask = 0;
  Next = NoIndex;
  if (OwnsJoin) {
    Mask = Frames.back().Arrived;
    Next = Join;
    Frames.pop_back();
  }
  ControlBase = BaseBefore;
  ControlShape = ShapeBefore;
}
