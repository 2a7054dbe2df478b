//===- LoopTurns.cpp - Warps that run one loop together -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/LoopTurns.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

using namespace gpuocc;
using namespace llvm;

namespace {

/// When the entries of a queue are free again.
class QueueState {
public:
  /// When the next instruction can have one of \p Entries; never, as long as
  /// the one that has it waits for a stage that schedulers share.
  double freeAt(unsigned Entries) const {
    return Free.size() < Entries ? 0 : Free[Free.size() - Entries];
  }
  /// The next entry is given away until the pipe is done.
  void enter(unsigned Entries) {
    if (Free.size() == Entries)
      Free.pop_front();
    Free.push_back(INFINITY);
  }
  /// The oldest entry whose end is not known is free at \p Cycle.
  void leave(double Cycle) {
    *find_if(Free, [](double At) { return std::isinf(At); }) = Cycle;
  }

private:
  std::deque<double> Free;
};

/// The schedulers of an SM and the warps that they have in the loop.
class Turns {
public:
  Turns(ArrayRef<LoopInstruction> Body, unsigned NumSchedulers, bool InStep,
        unsigned WarpsOfEach)
      : Body(Body), Schedulers(NumSchedulers) {
    for (auto [Number, S] : enumerate(Schedulers)) {
      S.Warps.resize(WarpsOfEach);
      const double First = InStep ? 0 : double(Number) / NumSchedulers;
      for (auto [I, W] : enumerate(S.Warps)) {
        W.ResultAt.assign(Body.size(), 0);
        // Places of their own: shares of the golden ratio never meet.
        double Place = First + I * 0.6180339887498949;
        W.Next = uint32_t((Place - std::floor(Place)) * Body.size());
        prepare(W);
      }
      choose(S);
    }
  }

  /// Issues \p Count instructions.
  void run(uint64_t Count) {
    while (Count != 0) {
      Scheduler &First =
          *min_element(Schedulers, [](const Scheduler &A, const Scheduler &B) {
            return A.NextStart < B.NextStart;
          });
      if (Scheduler *Sender = nextSender();
          Sender && sendTime(*Sender) <= First.NextStart) {
        send(*Sender);
        continue;
      }
      issue(First);
      --Count;
    }
  }

  /// When the last instruction was issued.
  double now() const { return Now; }

private:
  struct Warp {
    uint32_t Next = 0;
    /// When its next instruction has what it waits for, but for the scheduler
    /// and the pipe. Never, as long as a result waits for the shared stage.
    double ReadyAt = 0;
    double FreeAt = 0;
    std::vector<double> ResultAt;
  };
  /// An instruction on its way to the shared stage.
  struct Request {
    double IssuedAt;
    uint32_t Warp, Instruction;
  };
  struct Scheduler {
    std::vector<Warp> Warps;
    std::array<double, 256> PipeFree = {};
    std::array<QueueState, 256> Queues;
    std::deque<Request> Requests;
    /// Slots in which pipes get what waited in their queues.
    std::deque<double> Taken;
    double Free = 0;
    /// The warp that issued last; the one that issues next, and when.
    uint32_t Current = 0, NextWarp = 0;
    double NextStart = 0;

    /// The first cycle from \p At on in which no slot is taken.
    double afterTaken(double At) const {
      for (double Slot : Taken)
        if (At > Slot - 1 && At < Slot + 1)
          At = Slot + 1;
      return At;
    }
  };

  ArrayRef<LoopInstruction> Body;
  std::vector<Scheduler> Schedulers;
  double StageFree = 0, Now = 0;
  /// The scheduler whose turn it is at the shared stage.
  unsigned Turn = 0;

  double operandsAt(const Warp &W) const {
    double At = 0;
    for (const LoopInstruction::Input &In : Body[W.Next].Inputs)
      At = std::max(At, W.ResultAt[In.Index] + In.ExtraLatencyCycles);
    return At;
  }

  void advance(Warp &W) const {
    W.Next = W.Next + 1 == Body.size() ? 0 : W.Next + 1;
  }

  /// Goes to the next instruction that is issued, or that waits for a result
  /// whose time is not known yet.
  void prepare(Warp &W) const {
    while (!Body[W.Next].IsIssued) {
      double At = operandsAt(W);
      if (std::isinf(At)) {
        W.ReadyAt = At;
        return;
      }
      W.ResultAt[W.Next] = At;
      advance(W);
    }
    W.ReadyAt = std::max(W.FreeAt, operandsAt(W));
  }

  double startOf(const Scheduler &S, const Warp &W) const {
    const LoopInstruction &I = Body[W.Next];
    const double At = std::max(W.ReadyAt, S.Free);
    if (!I.Queue.Entries)
      return S.afterTaken(std::max(At, S.PipeFree[I.Pipe]));
    // Who waits for an entry gets it in the slot in which another leaves.
    return std::max(S.afterTaken(At), S.Queues[I.Pipe].freeAt(I.Queue.Entries));
  }

  /// Of the warps that can issue first: the one that did last, or else the
  /// youngest.
  void choose(Scheduler &S) const {
    S.NextStart = INFINITY;
    for (uint32_t I = 0; I != S.Warps.size(); ++I) {
      double Start = startOf(S, S.Warps[I]);
      if (Start > S.NextStart ||
          (Start == S.NextStart && S.NextWarp == S.Current))
        continue;
      S.NextStart = Start;
      S.NextWarp = I;
    }
    if (startOf(S, S.Warps[S.Current]) == S.NextStart)
      S.NextWarp = S.Current;
  }

  double sendTime(const Scheduler &S) const {
    const Request &R = S.Requests.front();
    return std::max(
        {R.IssuedAt, S.PipeFree[Body[R.Instruction].Pipe], StageFree});
  }

  /// The scheduler that gets the shared stage next.
  Scheduler *nextSender() {
    Scheduler *Next = nullptr;
    for (unsigned I = 0; I != Schedulers.size(); ++I) {
      Scheduler &S = Schedulers[(Turn + I) % Schedulers.size()];
      if (!S.Requests.empty() && (!Next || sendTime(S) < sendTime(*Next)))
        Next = &S;
    }
    return Next;
  }

  void send(Scheduler &S) {
    const double At = sendTime(S);
    const Request R = S.Requests.front();
    S.Requests.pop_front();
    const LoopInstruction &I = Body[R.Instruction];
    StageFree = At + I.StageCycles;
    S.PipeFree[I.Pipe] = At + I.PipeCycles;
    if (I.Queue.Entries)
      S.Queues[I.Pipe].leave(At + I.Queue.DelayCycles + I.PipeCycles);
    Turn = unsigned(&S - Schedulers.data() + 1) % Schedulers.size();
    Warp &Sender = S.Warps[R.Warp];
    Sender.ResultAt[R.Instruction] = At + I.LatencyCycles;
    if (std::isinf(Sender.ReadyAt))
      prepare(Sender);
    choose(S);
  }

  void issue(Scheduler &S) {
    Warp &W = S.Warps[S.NextWarp];
    const LoopInstruction &I = Body[W.Next];
    Now = S.NextStart;
    S.Current = S.NextWarp;
    S.Free =
        Now + (I.Queue.Entries ? std::min(1.0, I.IssueCycles) : I.IssueCycles);
    while (!S.Taken.empty() && S.Taken.front() + 1 <= S.Free)
      S.Taken.pop_front();
    if (I.Queue.Entries)
      S.Queues[I.Pipe].enter(I.Queue.Entries);
    if (I.StageCycles > 0) {
      S.Requests.push_back({Now, S.NextWarp, W.Next});
      W.ResultAt[W.Next] = INFINITY;
    } else {
      double At = std::max(Now, S.PipeFree[I.Pipe]);
      S.PipeFree[I.Pipe] = At + I.PipeCycles;
      W.ResultAt[W.Next] = At + I.LatencyCycles;
      if (I.Queue.Entries) {
        At += I.Queue.DelayCycles;
        S.Queues[I.Pipe].leave(At + I.PipeCycles);
        for (double Slot = 1; Slot < I.IssueCycles; ++Slot)
          S.Taken.push_back(At + Slot - 1);
      }
    }
    W.FreeAt = Now + I.NextCycles;
    advance(W);
    prepare(W);
    choose(S);
  }
};

} // namespace

std::vector<double> gpuocc::cyclesBetweenPasses(ArrayRef<LoopInstruction> Body,
                                                unsigned Schedulers,
                                                bool InStep, unsigned MaxWarps,
                                                double LeastCycles) {
  std::vector<double> Cycles;
  const uint64_t PerPass =
      count_if(Body, [](const LoopInstruction &I) { return I.IsIssued; });
  if (PerPass == 0)
    return Cycles;
  // Without a stage that they share, what one scheduler does they all do.
  const bool IsShared =
      any_of(Body, [](const LoopInstruction &I) { return I.StageCycles > 0; });
  const unsigned Followed = IsShared ? Schedulers : 1;
  for (unsigned Warps = 1; Warps <= MaxWarps; ++Warps) {
    Turns T(Body, Followed, InStep, Warps);
    // One pass until results of the pass before are known; then, at about all
    // places of the body, as much as gives the mean a digit more than the rest
    // of the model.
    const uint64_t Enough = 2048 * Followed;
    const uint64_t OnePass = PerPass * Warps * Followed;
    T.run(std::min(OnePass, Enough));
    double Start = T.now();
    const uint64_t Measured =
        Warps == 1 ? (Enough + OnePass - 1) / OnePass * OnePass : Enough;
    T.run(Measured);
    double Now = (T.now() - Start) * PerPass * Followed / Measured;
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

std::vector<double> gpuocc::identityOf(ArrayRef<LoopInstruction> Body) {
  std::vector<double> Out;
  for (const LoopInstruction &I : Body) {
    Out.insert(Out.end(),
               {I.IssueCycles, I.PipeCycles, double(I.Pipe), I.StageCycles,
                double(I.Queue.Entries), I.Queue.DelayCycles, I.NextCycles,
                I.LatencyCycles, double(I.IsIssued), double(I.Inputs.size())});
    for (const LoopInstruction::Input &In : I.Inputs)
      Out.insert(Out.end(), {double(In.Index), In.ExtraLatencyCycles});
  }
  return Out;
}
