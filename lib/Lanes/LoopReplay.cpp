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

#include "WarpWalker.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

void WarpWalker::replayExits(const LoopReplay &Replay, LaneMask Mask,
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
  uint64_t Header = Loops.back().Iteration;
  for (uint64_t Budget = Left / 4; Mask && Budget >= Cost; Budget -= Cost) {
    Steps += Cost;
    ++Header;
    for (uint32_t Op : Replay.Ops)
      Values.evaluate(S.Ops[Op], {Mask, Alive, Control});
    LaneMask Leaving = 0;
    for (const LoopReplay::Exit &E : Replay.Exits)
      Leaving |=
          Values.lanesWhere(E.Condition, E.StayIfHolds,
                            Mask & At0.Reached[E.Index] & At1.Reached[E.Index]);
    for (unsigned L = 0; L < WarpLanes; ++L) {
      if ((Leaving >> L) & 1)
        Executions[L] = std::min(Executions[L], Header);
      if (Executions[L] <= Header)
        Mask &= ~(LaneMask(1) << L);
    }
    SmallVector<LaneValue, 4> Next;
    for (const auto &Phi : Replay.Phis)
      Next.push_back(Values[Phi.second]);
    for (size_t I = 0; I < Next.size(); ++I)
      Values[Replay.Phis[I].first] = Next[I];
  }
  for (const auto &[Slot, Value] : Before)
    Values[Slot] = Value;
}
