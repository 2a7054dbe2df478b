//===- LoopReplay.cpp - Exits of a loop without its body ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of WarpWalker that computes when a loop ends where no closed form
/// tells.
///
//===----------------------------------------------------------------------===//

#include "Walk/LinearStretch.h"
#include "Walk/WarpWalker.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Computes the next iteration of \p Replay in the lanes \p Mask.
///
/// \returns the lanes that leave, of those that get to the exits.
LaneMask WarpWalker::replayIteration(const LoopReplay &Replay, LaneMask Mask,
                                     ArrayRef<LaneMask> Reached) {
  for (uint32_t Op : Replay.Ops)
    Values.evaluate(S.Ops[Op], {Mask, Alive, Control});
  LaneMask Leaving = 0;
  for (const LoopReplay::Exit &E : Replay.Exits)
    Leaving |=
        Values.lanesWhere(E.Condition, E.StayIfHolds, Mask & Reached[E.Index]);
  return Leaving;
}

void WarpWalker::advancePhis(const LoopReplay &Replay) {
  SmallVector<LaneValue, 4> Next;
  for (const auto &Phi : Replay.Phis)
    Next.push_back(Values[Phi.second]);
  for (size_t I = 0; I < Next.size(); ++I)
    Values[Replay.Phis[I].first] = Next[I];
}

/// Further iterations of lane \p Lane that go on as the last two did, whose
/// values are \p Before and those of now.
uint64_t WarpWalker::stretchOf(const LoopReplay &Replay, unsigned Lane,
                               const DenseMap<uint32_t, uint64_t> &Before) {
  auto ValueOf = [&](uint32_t Slot) {
    const uint64_t Now = Values[Slot].lane(Lane);
    auto It = Before.find(Slot);
    return LinearValue{Now, It == Before.end() ? 0 : Now - It->second};
  };
  uint64_t Steps = EndlessStretch;
  for (uint32_t Index : Replay.Ops) {
    const SliceOp &Op = S.Ops[Index];
    if (Op.NumResults != 1)
      return 0;
    SmallVector<LinearValue, 4> Operands;
    for (uint32_t Source : Op.Src)
      Operands.push_back(ValueOf(Source));
    Steps = std::min(Steps,
                     linearStretch({Op.What, Op.Bits, Op.FromBits, Op.Compare},
                                   Operands, ValueOf(Op.Dst)));
  }
  // What a phi becomes grows as the phi does.
  for (auto [Phi, Next] : Replay.Phis)
    if (ValueOf(Phi).Step != ValueOf(Next).Step)
      return 0;
  return Steps;
}

/// Lowers \p Executions of lane \p Lane to where it leaves: as long as all that
/// the exits are made of is linear, iterations are skipped. The phis are those
/// of iteration \p Header.
///
/// \returns false if the effort ends before that.
bool WarpWalker::followStretches(const LoopReplay &Replay, unsigned Lane,
                                 ArrayRef<LaneMask> Reached, uint64_t Header,
                                 uint64_t &Executions) {
  const uint64_t Cost = Replay.Ops.size() + Replay.Phis.size() + 1;
  const LaneMask Mask = LaneMask(1) << Lane;
  DenseMap<uint32_t, uint64_t> Before;
  bool HasBefore = false;
  while (Header + 1 < Executions) {
    if (StretchBudget < Cost)
      return false;
    StretchBudget -= Cost;
    ++Header;
    if (replayIteration(Replay, Mask, Reached)) {
      Executions = std::min(Executions, Header);
      return true;
    }
    const uint64_t Stretch =
        HasBefore ? std::min(stretchOf(Replay, Lane, Before),
                             Executions - std::min(Executions, Header))
                  : 0;
    if (Stretch > 1) {
      for (auto [Phi, Next] : Replay.Phis) {
        LaneValue &Value = Values[Phi];
        Value.expand();
        Value.V[Lane] += Stretch * (Value.V[Lane] - Before.lookup(Phi));
      }
      Header += Stretch - 1;
      HasBefore = false;
      continue;
    }
    Before.clear();
    for (uint32_t Op : Replay.Ops)
      Before[S.Ops[Op].Dst] = Values[S.Ops[Op].Dst].lane(Lane);
    for (auto [Phi, Next] : Replay.Phis)
      Before[Phi] = Values[Phi].lane(Lane);
    HasBefore = true;
    advancePhis(Replay);
  }
  return true;
}

bool WarpWalker::replayExits(const LoopReplay &Replay, LaneMask Mask,
                             const ExitValues &At0, const ExitValues &At1,
                             LaneCounts &Executions) {
  SmallVector<std::pair<uint32_t, LaneValue>, 16> Before;
  for (uint32_t Op : Replay.Ops)
    for (unsigned Result = 0; Result < S.Ops[Op].NumResults; ++Result)
      Before.push_back(
          {S.Ops[Op].Dst + Result, Values[S.Ops[Op].Dst + Result]});
  for (auto [Phi, Next] : Replay.Phis)
    Before.push_back({Phi, Values[Phi]});

  const uint64_t Cost = Replay.Ops.size() + Replay.Phis.size() + 1;
  const uint64_t Left = Limits.MaxSteps - std::min(Limits.MaxSteps, Steps);
  SmallVector<LaneMask, 4> Reached;
  for (size_t I = 0; I < At0.Reached.size(); ++I)
    Reached.push_back(At0.Reached[I] & At1.Reached[I]);
  uint64_t Header = Loops.back().Iteration;
  // Loops of many iterations are mostly linear in long stretches.
  constexpr uint64_t FirstInARow = 16;
  const bool HasStretches = S.Used.has(Mechanism::LinearStretches);
  uint64_t Budget = Left / 4;
  for (uint64_t I = 0; Mask && Budget >= Cost; Budget -= Cost, ++I) {
    if (HasStretches && I == FirstInARow)
      break;
    Steps += Cost;
    ++Header;
    const LaneMask Leaving = replayIteration(Replay, Mask, Reached);
    for (unsigned L = 0; L < WarpLanes; ++L) {
      if ((Leaving >> L) & 1)
        Executions[L] = std::min(Executions[L], Header);
      if (Executions[L] <= Header)
        Mask &= ~(LaneMask(1) << L);
    }
    advancePhis(Replay);
  }
  SmallVector<LaneValue, 4> Phis;
  for (auto [Phi, Next] : Replay.Phis)
    Phis.push_back(Values[Phi]);
  for (unsigned L = 0; L < WarpLanes && HasStretches; ++L) {
    if (!((Mask >> L) & 1))
      continue;
    for (size_t I = 0; I < Phis.size(); ++I)
      Values[Replay.Phis[I].first] = Phis[I];
    if (!followStretches(Replay, L, Reached, Header, Executions[L]))
      break;
    Mask &= ~(LaneMask(1) << L);
  }
  for (const auto &[Slot, Value] : Before)
    Values[Slot] = Value;
  return Mask == 0;
}
