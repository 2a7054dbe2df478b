//===- LoopTurns.cpp - Warps that run one loop together -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopTurns.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

namespace {

/// One scheduler and the warps that it has in the loop.
class Turns {
public:
  Turns(ArrayRef<LoopInstruction> Body, unsigned NumWarps)
      : Body(Body), Warps(NumWarps) {
    for (unsigned I = 0; I != NumWarps; ++I) {
      Warp &W = Warps[I];
      W.ResultAt.assign(Body.size(), 0);
      // Places of their own: shares of the golden ratio never meet.
      double Place = I * 0.6180339887498949;
      W.Next = uint32_t((Place - std::floor(Place)) * Body.size());
      prepare(W);
    }
  }

  /// Issues \p Count instructions.
  void run(uint64_t Count) {
    for (uint64_t I = 0; I != Count; ++I)
      issue(pick());
  }

  double now() const { return SchedulerFree; }

private:
  struct Warp {
    uint32_t Next = 0;
    /// When its next instruction has what it waits for, but for the scheduler
    /// and the pipe.
    double ReadyAt = 0;
    double FreeAt = 0;
    std::vector<double> ResultAt;
  };

  ArrayRef<LoopInstruction> Body;
  std::vector<Warp> Warps;
  std::array<double, 256> PipeFree = {};
  double SchedulerFree = 0;
  uint32_t Chance = 1;

  double operandsAt(const Warp &W) const {
    double At = 0;
    for (const LoopInstruction::Input &In : Body[W.Next].Inputs)
      At = std::max(At, W.ResultAt[In.Index] + In.ExtraLatencyCycles);
    return At;
  }

  void advance(Warp &W) const {
    W.Next = W.Next + 1 == Body.size() ? 0 : W.Next + 1;
  }

  /// Goes to the next instruction that is issued.
  void prepare(Warp &W) const {
    while (!Body[W.Next].IsIssued) {
      W.ResultAt[W.Next] = operandsAt(W);
      advance(W);
    }
    W.ReadyAt = std::max(W.FreeAt, operandsAt(W));
  }

  double startOf(const Warp &W) const {
    return std::max({W.ReadyAt, SchedulerFree, PipeFree[Body[W.Next].Pipe]});
  }

  /// Numerical Recipes' generator: evenly spread is all that is asked for.
  uint32_t chance() {
    Chance = Chance * 1664525u + 1013904223u;
    return Chance >> 8;
  }

  Warp &pick() {
    Warp *First = nullptr;
    double FirstStart = 0;
    uint32_t Equal = 0;
    for (Warp &W : Warps) {
      double Start = startOf(W);
      if (First && Start > FirstStart)
        continue;
      Equal = First && Start == FirstStart ? Equal + 1 : 1;
      if (Equal == 1 || chance() % Equal == 0)
        First = &W;
      FirstStart = Start;
    }
    return *First;
  }

  void issue(Warp &W) {
    const LoopInstruction &I = Body[W.Next];
    double Start = startOf(W);
    SchedulerFree = Start + I.IssueCycles;
    PipeFree[I.Pipe] = Start + I.PipeCycles;
    W.ResultAt[W.Next] = Start + I.LatencyCycles;
    W.FreeAt = Start + I.NextCycles;
    advance(W);
    prepare(W);
  }
};

} // namespace

std::vector<double> gpuocc::cyclesBetweenPasses(ArrayRef<LoopInstruction> Body,
                                                unsigned MaxWarps,
                                                double LeastCycles) {
  std::vector<double> Cycles;
  const uint64_t PerPass =
      std::count_if(Body.begin(), Body.end(),
                    [](const LoopInstruction &I) { return I.IsIssued; });
  if (PerPass == 0)
    return Cycles;
  for (unsigned Warps = 1; Warps <= MaxWarps; ++Warps) {
    Turns T(Body, Warps);
    // One pass until results of the pass before are known; then, at about all
    // places of the body, as much as gives the mean a digit more than the rest
    // of the model.
    constexpr uint64_t Enough = 2048;
    const uint64_t WarmUp = std::min(Warps * PerPass, Enough);
    T.run(WarmUp);
    double Start = T.now();
    const uint64_t Passes = (Enough + PerPass * Warps - 1) / (PerPass * Warps);
    const uint64_t Measured = Warps == 1 ? Passes * PerPass : Enough;
    T.run(Measured);
    double Now = (T.now() - Start) * PerPass / Measured;
    Cycles.push_back(std::max(LeastCycles, Now));
    if (Now <= 1.002 * LeastCycles) {
      Cycles.back() = LeastCycles;
      break;
    }
  }
  // One more warp never slows the others down by more than it does itself.
  for (size_t I = 1; I < Cycles.size(); ++I)
    Cycles[I] = std::min(Cycles[I], Cycles[I - 1]);
  return Cycles;
}
