//===- BlockSchedule.cpp - The order that an assembler gives code ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/BlockSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Registers that are in use while code is issued.
class LiveRegisters {
public:
  LiveRegisters(ArrayRef<ScheduleNode> Code, const CodeRegisters &Registers)
      : Values(Registers.Values), Limit(Registers.Limit) {
    restart(Code, Registers.AliveBefore);
    for (const ScheduleNode &N : Code) {
      issue(N);
      Limit = std::max(Limit, InUse);
    }
    restart(Code, Registers.AliveBefore);
  }

  /// True if what \p N makes has a place, with what it frees; always where that
  /// is as much.
  bool haveRoomFor(const ScheduleNode &N) const {
    unsigned Then = InUse;
    for (uint32_t V : N.Uses)
      if (isLastUse(V))
        Then -= std::min<unsigned>(Then, Values[V].Words);
    for (uint32_t V : N.Defs)
      Then += Values[V].Words;
    return Then <= std::max(Limit, InUse);
  }

  void issue(const ScheduleNode &N) {
    for (uint32_t V : N.Uses) {
      if (isLastUse(V))
        InUse -= std::min<unsigned>(InUse, Values[V].Words);
      --UsesLeft[V];
    }
    for (uint32_t V : N.Defs)
      if (UsesLeft[V] || Values[V].IsKept)
        InUse += Values[V].Words;
  }

private:
  void restart(ArrayRef<ScheduleNode> Code, unsigned AliveBefore) {
    UsesLeft.assign(Values.size(), 0);
    for (const ScheduleNode &N : Code)
      for (uint32_t V : N.Uses)
        ++UsesLeft[V];
    InUse = AliveBefore;
  }

  bool isLastUse(uint32_t V) const {
    return UsesLeft[V] == 1 && !Values[V].IsKept;
  }

  ArrayRef<CodeRegisters::Value> Values;
  std::vector<unsigned> UsesLeft;
  unsigned InUse = 0, Limit;
};

class Scheduler {
public:
  Scheduler(ArrayRef<ScheduleNode> Code, const CodeRegisters &Registers)
      : Code(Code), Users(Code.size()), Waiting(Code.size()),
        Height(Code.size()), ReadyAt(Code.size()) {
    if (Registers.isLimited())
      this->Registers.emplace(Code, Registers);
    for (uint32_t I = 0; I != Code.size(); ++I) {
      for (const ScheduleNode::Input &In : Code[I].Inputs)
        Users[In.Index].push_back(
            {I, Code[In.Index].LatencyCycles + In.ExtraLatencyCycles,
             In.ExtraLatencyCycles});
      for (uint32_t Before : Code[I].After)
        Users[Before].push_back({I, 0, 0});
      Waiting[I] = Code[I].Inputs.size() + Code[I].After.size();
    }
    for (uint32_t I = Code.size(); I-- > 0;) {
      double Below = 0;
      for (const User &U : Users[I])
        Below = std::max(Below, Height[U.Index] + U.ExtraLatency);
      Height[I] = Below + std::max(Code[I].LatencyCycles, Code[I].IssueCycles);
    }
  }

  std::vector<uint32_t> run() {
    std::vector<uint32_t> Order;
    Order.reserve(Code.size());
    for (uint32_t I = 0; I != Code.size(); ++I)
      if (!Waiting[I])
        addReady(I);
    while (Order.size() != Code.size()) {
      const uint32_t I = takeNext();
      issue(I);
      Order.push_back(I);
    }
    return Order;
  }

private:
  struct User {
    uint32_t Index;
    double Latency, ExtraLatency;
  };

  /// When a node can start, how high it is, and where it stands: the least of
  /// these is issued next.
  using Rank = std::tuple<double, double, uint32_t>;
  using Queue =
      std::priority_queue<Rank, std::vector<Rank>, std::greater<Rank>>;

  /// Nodes that wait for nothing but their inputs' latency and the pipe.
  struct Pipe {
    uint8_t Number;
    double Free = 0;
    /// Those whose inputs are there when the pipe is free, all starting then.
    Queue Startable;
    /// Others, by when their inputs are there.
    Queue Pending;
  };

  ArrayRef<ScheduleNode> Code;
  /// None where there is no limit.
  std::optional<LiveRegisters> Registers;
  /// Loads that wait for registers; the highest comes first.
  Queue Held;
  std::vector<SmallVector<User, 4>> Users;
  std::vector<unsigned> Waiting;
  std::vector<double> Height, ReadyAt;
  SmallVector<Pipe, 8> Pipes;
  double Now = 0;

  Pipe &pipeOf(uint32_t I) {
    for (Pipe &P : Pipes)
      if (P.Number == Code[I].Pipe)
        return P;
    return Pipes.emplace_back(Pipe{Code[I].Pipe, 0, {}, {}});
  }

  void addReady(uint32_t I) {
    pipeOf(I).Pending.push({ReadyAt[I], -Height[I], I});
  }

  /// What \p P can start first; neither time goes back, so that what is
  /// startable stays so.
  std::optional<Rank> firstOf(Pipe &P) {
    const double Start = std::max(Now, P.Free);
    while (!P.Pending.empty() && std::get<0>(P.Pending.top()) <= Start) {
      auto [Ready, Depth, I] = P.Pending.top();
      P.Pending.pop();
      P.Startable.push({0, Depth, I});
    }
    if (!P.Startable.empty()) {
      auto [None, Depth, I] = P.Startable.top();
      return Rank{Start, Depth, I};
    }
    return P.Pending.empty() ? std::optional<Rank>() : P.Pending.top();
  }

  /// Takes what starts first, of those the highest, of those the first.
  std::optional<uint32_t> takeFirst() {
    Pipe *From = nullptr;
    std::optional<Rank> Best;
    for (Pipe &P : Pipes)
      if (std::optional<Rank> First = firstOf(P);
          First && (!Best || *First < *Best)) {
        Best = First;
        From = &P;
      }
    if (!Best)
      return std::nullopt;
    (From->Startable.empty() ? From->Pending : From->Startable).pop();
    return std::get<2>(*Best);
  }

  bool haveRoomFor(uint32_t I) const {
    return !Registers || Registers->haveRoomFor(Code[I]);
  }

  uint32_t takeHeld() {
    const uint32_t I = std::get<2>(Held.top());
    Held.pop();
    return I;
  }

  /// The first that need not wait for registers; of those that must, the
  /// highest.
  uint32_t takeNext() {
    if (!Held.empty() && haveRoomFor(std::get<2>(Held.top())))
      addReady(takeHeld());
    while (std::optional<uint32_t> I = takeFirst()) {
      if (!Code[*I].IsLoad || haveRoomFor(*I))
        return *I;
      Held.push({0, -Height[*I], *I});
    }
    return takeHeld();
  }

  void issue(uint32_t I) {
    Pipe &P = pipeOf(I);
    const double Start = std::max({Now, ReadyAt[I], P.Free});
    Now = Start + Code[I].IssueCycles;
    P.Free = Start + Code[I].PipeCycles;
    if (Registers)
      Registers->issue(Code[I]);
    for (const User &U : Users[I]) {
      ReadyAt[U.Index] = std::max(ReadyAt[U.Index], Start + U.Latency);
      if (--Waiting[U.Index] == 0)
        addReady(U.Index);
    }
  }
};

} // namespace

std::vector<uint32_t> gpuocc::issueOrder(ArrayRef<ScheduleNode> Code,
                                         const CodeRegisters &Registers) {
  return Scheduler(Code, Registers).run();
}
