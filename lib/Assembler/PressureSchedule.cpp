//===- PressureSchedule.cpp - Orders of straight-line code ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PressureSchedule.h"
#include "gpuocc/Kernel/MemoryOrder.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>
#include <set>

using namespace gpuocc;
using namespace llvm;

// Cycles that an assembler may assume. Only their order matters: memory far
// longer than constants and shared memory, those longer than arithmetic.
static constexpr double MemoryCycles = 300;
static constexpr double NearMemoryCycles = 30;
static constexpr double ArithmeticCycles = 5;
/// Bounds the edges of very long blocks; older accesses are ordered through
/// newer ones in practice.
static constexpr size_t MostOrderedAccesses = 64;

static bool isFence(const Operation &Op) {
  return any_of(Op.Emits, [](const Emission &E) {
    return hasTrait(E.Class, InstTrait::Fence) ||
           hasTrait(E.Class, InstTrait::Jump);
  });
}

/// What nothing behind it is moved across: it ends a block of the assembler's
/// own code, as calls and the branches to slow paths do.
static bool splitsBlock(const Operation &Op) {
  return any_of(Op.Emits, [](const Emission &E) {
    return E.Class == InstClass::Call || E.Class == InstClass::Branch;
  });
}

static double latency(const KernelFacts &Facts, const Operation &Op) {
  if (Op.Access != NoIndex) {
    switch (Facts.Accesses[Op.Access].Space) {
    case MemorySpace::Shared:
    case MemorySpace::Constant:
    case MemorySpace::Param:
      return NearMemoryCycles;
    default:
      return MemoryCycles;
    }
  }
  double Cycles = 0;
  for (const Emission &E : Op.Emits)
    Cycles += ArithmeticCycles * E.OnPath;
  return Cycles;
}

namespace {

/// What must come before what, and the longest paths to and from each node.
class Dependences {
public:
  explicit Dependences(const ScheduleInput &In)
      : In(In), Inputs(In.Code.Nodes.size()), Successors(Inputs.size()),
        Latency(Inputs.size()), Depth(Inputs.size()), Height(Inputs.size()) {
    for (uint32_t I = 0; I != Inputs.size(); ++I) {
      addNode(I);
      for (uint32_t Input : Inputs[I])
        Depth[I] = std::max(Depth[I], Depth[Input] + Latency[Input]);
    }
    for (uint32_t I = uint32_t(Height.size()); I-- > 0;) {
      for (uint32_t S : Successors[I])
        Height[I] = std::max(Height[I], Height[S]);
      Height[I] += Latency[I];
    }
  }

  const ScheduleInput &In;
  std::vector<SmallVector<uint32_t, 4>> Inputs, Successors;
  /// Depth is without, Height with the latency of the node itself.
  std::vector<double> Latency, Depth, Height;

private:
  DenseMap<uint32_t, uint32_t> WriterOfValue;
  DenseMap<std::pair<uint32_t, unsigned>, uint32_t> NodeOfOp;
  SmallVector<uint32_t, 16> AccessesSinceFence;
  std::optional<uint32_t> LastFence, LastSplit;

  void addEdge(uint32_t From, uint32_t To) {
    Successors[From].push_back(To);
    Inputs[To].push_back(From);
  }

  void addNode(uint32_t I) {
    const CodeNode &N = In.Code.Nodes[I];
    const Operation &Op = In.Facts.Operations[N.Op];
    // Nobody waits for what has no result.
    Latency[I] = N.Defs.empty() ? 1 : latency(In.Facts, Op);
    for (uint32_t V : N.Uses)
      if (auto It = WriterOfValue.find(V); It != WriterOfValue.end())
        addEdge(It->second, I);
    // Also through predicates.
    for (const Operand &O : Op.Operands)
      if (O.isValue())
        if (auto It = NodeOfOp.find({O.Index, N.Copy}); It != NodeOfOp.end())
          addEdge(It->second, I);
    if (N.Condition != NoIndex)
      if (auto It = NodeOfOp.find({N.Condition, N.Copy}); It != NodeOfOp.end())
        addEdge(It->second, I);
    for (uint32_t V : N.Defs)
      WriterOfValue[V] = I;
    NodeOfOp[{N.Op, N.Copy}] = I;
    if (LastSplit)
      addEdge(*LastSplit, I);
    if (splitsBlock(Op))
      LastSplit = I;
    if (isFence(Op)) {
      for (uint32_t Before = LastFence.value_or(0); Before != I; ++Before)
        addEdge(Before, I);
      LastFence = I;
      AccessesSinceFence.clear();
    } else if (Op.Access != NoIndex) {
      orderAccess(I, In.Facts.Accesses[Op.Access]);
    }
  }

  void orderAccess(uint32_t I, const MemoryAccess &A) {
    if (LastFence)
      addEdge(*LastFence, I);
    for (uint32_t Before : AccessesSinceFence) {
      const CodeNode &N = In.Code.Nodes[Before];
      // Iterations that are unrolled together were found to be independent.
      if (N.Copy == In.Code.Nodes[I].Copy &&
          mayConflict(In.Facts.Accesses[In.Facts.Operations[N.Op].Access], A))
        addEdge(Before, I);
    }
    if (AccessesSinceFence.size() == MostOrderedAccesses)
      AccessesSinceFence.erase(AccessesSinceFence.begin());
    AccessesSinceFence.push_back(I);
  }
};

/// How many registers are alive while code is issued node by node.
class LiveRegisters {
public:
  explicit LiveRegisters(const ScheduleInput &In)
      : In(In), UsesLeft(In.numValues()) {
    BitVector Live = In.LiveOut, Written(In.numValues());
    for (const CodeNode &N : In.Code.Nodes) {
      for (uint32_t V : N.Uses) {
        ++UsesLeft[V];
        Live.set(V);
      }
      for (uint32_t V : N.Defs)
        Written.set(V);
    }
    Live.reset(Written);
    for (unsigned V : Live.set_bits())
      Count += int(In.words(V));
  }

  int count() const { return Count; }

  /// What issuing \p N changes.
  int growth(const CodeNode &N) const {
    int Growth = 0;
    for (uint32_t V : N.Defs)
      if (UsesLeft[V] != 0 || In.LiveOut.test(V))
        Growth += int(In.words(V));
    for (uint32_t V : N.Uses)
      if (UsesLeft[V] == 1 && !In.LiveOut.test(V))
        Growth -= int(In.words(V));
    return Growth;
  }

  void issue(const CodeNode &N) {
    Count += growth(N);
    for (uint32_t V : N.Uses)
      --UsesLeft[V];
  }

private:
  const ScheduleInput &In;
  std::vector<unsigned> UsesLeft;
  int Count = 0;
};

/// Issues what keeps least alive, of the same growth what comes first.
class RegisterScheduler {
public:
  explicit RegisterScheduler(const ScheduleInput &In)
      : In(In), Needs(In), Live(In), ReadyAt(In.Code.Nodes.size()) {}

  std::vector<uint32_t> run() {
    std::vector<size_t> InputsLeft;
    for (uint32_t I = 0; I != In.Code.Nodes.size(); ++I) {
      InputsLeft.push_back(Needs.Inputs[I].size());
      if (InputsLeft[I] == 0)
        Waiting.insert({0, I});
    }
    std::vector<uint32_t> Order;
    for (double Clock = 0; !Ready.empty() || !Waiting.empty(); ++Clock) {
      if (Ready.empty())
        Clock = std::max(Clock, Waiting.begin()->first);
      while (!Waiting.empty() && Waiting.begin()->first <= Clock) {
        uint32_t I = Waiting.begin()->second;
        Waiting.erase(Waiting.begin());
        Ready.insert({-Needs.Height[I], I});
      }
      uint32_t I = choose();
      Ready.erase({-Needs.Height[I], I});
      Waiting.erase({ReadyAt[I], I});
      Clock = std::max(Clock, ReadyAt[I]);
      Live.issue(In.Code.Nodes[I]);
      Order.push_back(I);
      for (uint32_t S : Needs.Successors[I]) {
        ReadyAt[S] = std::max(ReadyAt[S], Clock + Needs.Latency[I]);
        if (--InputsLeft[S] == 0)
          Waiting.insert({ReadyAt[S], S});
      }
    }
    return Order;
  }

private:
  const ScheduleInput &In;
  Dependences Needs;
  LiveRegisters Live;
  std::vector<double> ReadyAt;
  /// Longest path first, program order on ties; and by the cycle in which the
  /// operands are there.
  std::set<std::pair<double, uint32_t>> Ready, Waiting;

  uint32_t choose() const {
    uint32_t Best = Ready.begin()->second;
    if (Live.count() == 0)
      return Best;
    int BestGrowth = Live.growth(In.Code.Nodes[Best]);
    if (BestGrowth < 0)
      return Best;
    for (const auto *Set : {&Ready, &Waiting})
      for (auto [Key, I] : *Set) {
        int Growth = Live.growth(In.Code.Nodes[I]);
        if (std::pair(Growth, I) < std::pair(BestGrowth, Best)) {
          BestGrowth = Growth;
          Best = I;
        }
      }
    return Best;
  }
};

/// Issues from the end: each node as late as those that wait for it allow, so
/// that loads come early and all else just before its use.
class LatencyScheduler {
public:
  explicit LatencyScheduler(const ScheduleInput &In)
      : Needs(In), ReadyAt(In.Code.Nodes.size()) {}

  std::vector<uint32_t> run() {
    const uint32_t NumNodes = uint32_t(ReadyAt.size());
    std::vector<size_t> SuccessorsLeft;
    // By distance from the end; nodes without successors wait for nothing.
    std::set<std::pair<double, uint32_t>> Waiting;
    for (uint32_t I = 0; I != NumNodes; ++I) {
      SuccessorsLeft.push_back(Needs.Successors[I].size());
      ReadyAt[I] = Needs.Latency[I];
      if (SuccessorsLeft[I] == 0)
        Waiting.insert({ReadyAt[I], fromEnd(I)});
    }
    // The longest path to a node first, the last in the program on ties.
    std::set<std::pair<double, uint32_t>> Ready;
    std::vector<uint32_t> Backwards;
    for (double Clock = 0; !Ready.empty() || !Waiting.empty(); ++Clock) {
      if (Ready.empty())
        Clock = std::max(Clock, Waiting.begin()->first);
      while (!Waiting.empty() && Waiting.begin()->first <= Clock) {
        uint32_t Place = Waiting.begin()->second;
        Waiting.erase(Waiting.begin());
        Ready.insert({-Needs.Depth[fromEnd(Place)], Place});
      }
      uint32_t I = fromEnd(Ready.begin()->second);
      Ready.erase(Ready.begin());
      Backwards.push_back(I);
      for (uint32_t Input : Needs.Inputs[I]) {
        ReadyAt[Input] = std::max(ReadyAt[Input], Clock + Needs.Latency[Input]);
        if (--SuccessorsLeft[Input] == 0)
          Waiting.insert({ReadyAt[Input], fromEnd(Input)});
      }
    }
    return {Backwards.rbegin(), Backwards.rend()};
  }

private:
  Dependences Needs;
  std::vector<double> ReadyAt;

  uint32_t fromEnd(uint32_t I) const {
    return uint32_t(ReadyAt.size()) - 1 - I;
  }
};

} // namespace

std::vector<uint32_t> gpuocc::scheduleForLatency(const ScheduleInput &In) {
  return LatencyScheduler(In).run();
}

std::vector<uint32_t> gpuocc::scheduleForRegisters(const ScheduleInput &In) {
  return RegisterScheduler(In).run();
}
