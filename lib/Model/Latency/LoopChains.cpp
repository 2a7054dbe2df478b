//===- LoopChains.cpp - Results that go from turn to turn -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/LoopChains.h"
#include "Latency/LatencyGraph.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

/// The longest way from a phi of the header to an operation of the same
/// iteration.
struct Way {
  double Cycles = 0;
  bool Loads = false;
};

/// The operations of a loop and the ways through them.
class LoopGraph {
public:
  LoopGraph(const KernelFacts &Facts, const LatencyGraph &Graph, uint32_t L);

  std::vector<LoopChain> chains();

private:
  /// To each operation from the first to the last of the loop.
  using WaysTo = std::vector<std::optional<Way>>;

  bool isInLoop(uint32_t Op) const { return InLoop[Op]; }
  bool isStep(uint32_t Op) const;
  void findWays(size_t Phi);
  std::optional<Way> wayTo(const WaysTo &To, uint32_t Op) const;
  bool areOnOneCycle(size_t A, size_t B) const {
    return Reaches[A][B] && Reaches[B][A];
  }
  LoopChain chainOf(ArrayRef<size_t> Group) const;
  bool isInduction(size_t Phi) const;

  const KernelFacts &Facts;
  const LatencyGraph &Graph;
  std::vector<bool> InLoop;
  std::vector<uint32_t> Ops;
  /// Phis of the header that take a value of the loop, and that value.
  std::vector<uint32_t> Phis, Latch;
  /// From each phi to what each phi takes next.
  std::vector<std::vector<std::optional<Way>>> Ways;
  std::vector<std::vector<bool>> Reaches;
};

} // namespace

constexpr size_t MostPhis = 64;

LoopGraph::LoopGraph(const KernelFacts &Facts, const LatencyGraph &Graph,
                     uint32_t L)
    : Facts(Facts), Graph(Graph), InLoop(Facts.Operations.size()) {
  for (uint32_t Block : Facts.Loops[L].Blocks) {
    const BasicBlock &B = Facts.Blocks[Block];
    for (uint32_t Op = B.FirstOp; Op != B.FirstOp + B.NumOps; ++Op) {
      InLoop[Op] = true;
      Ops.push_back(Op);
    }
  }
  llvm::sort(Ops);
  const BasicBlock &Header = Facts.Blocks[Facts.Loops[L].Header];
  for (uint32_t Op = Header.FirstOp; Op != Header.FirstOp + Header.NumOps; ++Op)
    if (Facts.Operations[Op].What == Semantics::Phi)
      for (const Operand &O : Facts.Operations[Op].Operands)
        if (O.isValue() && isInLoop(O.Index) && Phis.size() < MostPhis) {
          Phis.push_back(Op);
          Latch.push_back(O.Index);
          break;
        }
}

/// The way to the result of \p Op.
std::optional<Way> LoopGraph::wayTo(const WaysTo &To, uint32_t Op) const {
  if (!To[Op - Ops.front()])
    return std::nullopt;
  const Operation &O = Facts.Operations[Op];
  Way W = *To[Op - Ops.front()];
  if (!O.Emits.empty())
    W.Cycles += Graph[Op].Latency.Cycles;
  W.Loads |=
      O.Access != NoIndex && Facts.Accesses[O.Access].Kind == AccessKind::Load;
  return W;
}

void LoopGraph::findWays(size_t Phi) {
  WaysTo To(Ops.back() - Ops.front() + 1);
  To[Phis[Phi] - Ops.front()] = Way();
  for (uint32_t Op : Ops) {
    for (const LatencyInput &In : Graph.inputsOf(Op)) {
      // What comes later in the order of the code comes from the iteration
      // before, here or in a loop within.
      if (In.Op >= Op || !isInLoop(In.Op))
        continue;
      std::optional<Way> W = wayTo(To, In.Op);
      if (!W)
        continue;
      W->Cycles += In.ExtraCycles;
      std::optional<Way> &Longest = To[Op - Ops.front()];
      if (!Longest || W->Cycles > Longest->Cycles)
        Longest = W;
    }
  }
  for (uint32_t Op : Latch)
    Ways[Phi].push_back(wayTo(To, Op));
}

/// True for the addition of what does not change in the loop.
bool LoopGraph::isStep(uint32_t Op) const {
  const Operation &O = Facts.Operations[Op];
  unsigned Changing = 0;
  for (const Operand &In : O.Operands)
    Changing += In.isValue() && isInLoop(In.Index);
  const bool IsInteger = all_of(O.Emits, [](const Emission &E) {
    return E.Class == InstClass::IAdd3 || E.Class == InstClass::IAddImm ||
           E.Class == InstClass::Lea || E.Class == InstClass::IMad ||
           E.Class == InstClass::IMadWide || E.Class == InstClass::UInt ||
           E.Class == InstClass::Mov;
  });
  return Changing == 1 && IsInteger && O.Access == NoIndex;
}

bool LoopGraph::isInduction(size_t Phi) const {
  uint32_t Op = Latch[Phi];
  for (size_t Steps = 0; Steps != Ops.size(); ++Steps) {
    if (Op == Phis[Phi])
      return true;
    if (Facts.Operations[Op].What == Semantics::Phi || !isStep(Op))
      return false;
    for (const Operand &In : Facts.Operations[Op].Operands)
      if (In.isValue() && isInLoop(In.Index)) {
        Op = In.Index;
        break;
      }
  }
  return false;
}

/// Phis that hand values to each other in a ring take several iterations for a
/// round: the latency of one is that of many over their number.
LoopChain LoopGraph::chainOf(ArrayRef<size_t> Group) const {
  LoopChain Chain;
  Chain.IsInduction = all_of(Group, [&](size_t I) { return isInduction(I); });
  const size_t Rounds = 2 * Group.size();
  std::vector<double> At(Phis.size());
  double Middle = 0, End = 0;
  for (size_t Round = 0; Round != 2 * Rounds; ++Round) {
    std::vector<double> Next(Phis.size());
    End = 0;
    for (size_t From : Group)
      for (size_t To : Group)
        if (const std::optional<Way> &W = Ways[From][To]) {
          Next[To] = std::max(Next[To], At[From] + W->Cycles);
          Chain.Loads |= W->Loads;
          End = std::max(End, Next[To]);
        }
    if (Round + 1 == Rounds)
      Middle = End;
    At = std::move(Next);
  }
  Chain.Cycles = (End - Middle) / double(Rounds);
  return Chain;
}

std::vector<LoopChain> LoopGraph::chains() {
  Ways.resize(Phis.size());
  Reaches.assign(Phis.size(), std::vector<bool>(Phis.size()));
  for (size_t I = 0; I != Phis.size(); ++I) {
    findWays(I);
    for (size_t J = 0; J != Phis.size(); ++J)
      Reaches[I][J] = Ways[I][J].has_value();
  }
  for (size_t Via = 0; Via != Phis.size(); ++Via)
    for (size_t I = 0; I != Phis.size(); ++I)
      for (size_t J = 0; Reaches[I][Via] && J != Phis.size(); ++J)
        Reaches[I][J] = Reaches[I][J] || Reaches[Via][J];
  std::vector<LoopChain> Out;
  for (size_t I = 0; I != Phis.size(); ++I) {
    if (!Reaches[I][I])
      continue;
    SmallVector<size_t, 8> Group;
    for (size_t J = 0; J != Phis.size(); ++J)
      if (areOnOneCycle(I, J))
        Group.push_back(J);
    if (Group.front() == I)
      Out.push_back(chainOf(Group));
  }
  llvm::sort(Out, [](const LoopChain &A, const LoopChain &B) {
    return std::tie(B.Cycles, B.Loads, B.IsInduction) <
           std::tie(A.Cycles, A.Loads, A.IsInduction);
  });
  return Out;
}

std::vector<LoopChain> gpuocc::loopChains(const KernelFacts &Facts,
                                          const LatencyGraph &Graph,
                                          uint32_t Loop) {
  return LoopGraph(Facts, Graph, Loop).chains();
}
