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
#include <set>
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

  /// Registers that are in use behind \p N beyond those before.
  int growthBy(const ScheduleNode &N) const {
    int Growth = 0;
    for (uint32_t V : N.Uses)
      Growth -= isLastUse(V) ? Values[V].Words : 0;
    return Growth + wordsOf(N.Defs);
  }

  int wordsOf(ArrayRef<uint32_t> Of) const {
    int Words = 0;
    for (uint32_t V : Of)
      Words += Values[V].Words;
    return Words;
  }

  unsigned free() const { return Limit - std::min(Limit, InUse); }

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
    if (Registers.isLimited()) {
      this->Registers.emplace(Code, Registers);
      for (const ScheduleNode &N : Code)
        LoadedWordsToCome += N.IsLoad ? this->Registers->wordsOf(N.Defs) : 0;
    }
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

  struct First {
    Pipe *From;
    Rank Which;
  };

  ArrayRef<ScheduleNode> Code;
  /// None where there is no limit.
  std::optional<LiveRegisters> Registers;
  /// What waits for registers; the highest comes first.
  std::set<std::pair<double, uint32_t>> Held;
  /// Registers that loads will fill that have not issued.
  int LoadedWordsToCome = 0;
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

  /// What starts first, of those the highest, of those the first.
  std::optional<First> findFirst() {
    std::optional<First> Best;
    for (Pipe &P : Pipes)
      if (std::optional<Rank> Of = firstOf(P);
          Of && (!Best || *Of < Best->Which))
        Best = First{&P, *Of};
    return Best;
  }

  /// True if \p I is a load, or all that one waits for, in \p Steps at most.
  bool leadsToLoad(uint32_t I, unsigned Steps = 8) const {
    return Code[I].IsLoad ||
           (Steps != 0 && any_of(Users[I], [&](const User &U) {
              return Waiting[U.Index] == 1 && leadsToLoad(U.Index, Steps - 1);
            }));
  }

  /// True if what \p I makes has a place, with what it frees. What nothing
  /// waits for leaves room for the loads to come, but where time would pass.
  bool haveRoomFor(uint32_t I, bool IsIdle) const {
    const int Growth = Registers->growthBy(Code[I]);
    if (Growth <= 0)
      return true;
    const bool IsUrgent = IsIdle || leadsToLoad(I);
    return Growth + (IsUrgent ? 0 : LoadedWordsToCome) <=
           int(Registers->free());
  }

  /// Of the highest that wait for registers the first that has room.
  std::optional<uint32_t> takeHeld(bool IsIdle) {
    constexpr unsigned MostLookedAt = 16;
    unsigned Looked = 0;
    for (auto It = Held.begin(); It != Held.end() && Looked++ != MostLookedAt;
         ++It)
      if (const uint32_t I = It->second; haveRoomFor(I, IsIdle)) {
        Held.erase(It);
        return I;
      }
    return std::nullopt;
  }

  /// The first that need not wait for registers; of those that must, the
  /// highest.
  uint32_t takeNext() {
    // Longer than arithmetic takes.
    constexpr double LongWait = 20;
    if (std::optional<uint32_t> I = takeHeld(/*IsIdle=*/false))
      addReady(*I);
    for (;;) {
      const std::optional<First> Next = findFirst();
      const bool IsIdle = !Next || std::get<0>(Next->Which) > Now + LongWait;
      if (IsIdle)
        if (std::optional<uint32_t> I = takeHeld(IsIdle))
          return *I;
      if (!Next) {
        const uint32_t I = Held.begin()->second;
        Held.erase(Held.begin());
        return I;
      }
      Pipe &P = *Next->From;
      (P.Startable.empty() ? P.Pending : P.Startable).pop();
      const uint32_t I = std::get<2>(Next->Which);
      if (!Registers || haveRoomFor(I, IsIdle))
        return I;
      Held.insert({-Height[I], I});
    }
  }

  void issue(uint32_t I) {
    Pipe &P = pipeOf(I);
    const double Start = std::max({Now, ReadyAt[I], P.Free});
    Now = Start + Code[I].IssueCycles;
    P.Free = Start + Code[I].PipeCycles;
    if (Registers) {
      Registers->issue(Code[I]);
      LoadedWordsToCome -=
          Code[I].IsLoad ? Registers->wordsOf(Code[I].Defs) : 0;
    }
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
