//===- WarpSchedule.cpp - The order in which a warp issues ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/WarpSchedule.h"
#include "Latency/BlockSchedule.h"
#include "Latency/IssuePairs.h"
#include "Numbers/OperationKinds.h"
#include "Numbers/PipeKinds.h"
#include "gpuocc/Kernel/MemoryOrder.h"
#include "gpuocc/Kernel/Regions.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Copies of a region, as an assembler schedules them.
class RegionCode {
public:
  RegionCode(const KernelFacts &Facts, const LatencyGraph &Graph,
             ArrayRef<uint32_t> Blocks, unsigned Copies,
             const Mechanisms &Used);

  std::vector<IssueSlot> turns(double L2HitCycles, unsigned IssueWidth);

private:
  std::vector<uint32_t> scheduledOrder(double L2HitCycles);
  void addInputs(uint32_t Node, ScheduleNode &Out) const;
  void addTimes(uint32_t Node, double L2HitCycles, ScheduleNode &Out) const;
  void addOrder(uint32_t Node, ScheduleNode &Out);
  CodeRegisters addRegisters(MutableArrayRef<ScheduleNode> Code) const;
  std::pair<unsigned, uint32_t> valueOf(unsigned Copy, uint32_t Value) const;
  void addStalls(MutableArrayRef<IssueSlot> Turns) const;

  // Nodes are numbered copy by copy.
  unsigned copyOf(uint32_t Node) const { return Node / Ops.size(); }
  uint32_t placeOf(uint32_t Node) const { return Node % Ops.size(); }
  uint32_t opOf(uint32_t Node) const { return Ops[placeOf(Node)]; }
  uint32_t nodeOf(unsigned Copy, uint32_t Op) const {
    return Copy * Ops.size() + PlaceOf.at(Op);
  }

  bool isOfRegion(const Operand &O) const {
    return O.isValue() && PlaceOf.contains(O.Index);
  }
  /// What all copies of a pass share is issued in its last one.
  bool isLeftToLastCopy(uint32_t Op, unsigned Copy) const {
    return Graph[Op].IsOncePerPass && Copy + 1 != Copies;
  }

  const KernelFacts &Facts;
  const LatencyGraph &Graph;
  uint32_t FirstBlock, LastBlock;
  unsigned Copies;
  const Mechanisms &Used;
  /// The operations of one copy in program order, and where each of them is.
  std::vector<uint32_t> Ops;
  DenseMap<uint32_t, uint32_t> PlaceOf;

  // What addOrder() has come by: nodes.
  std::optional<uint32_t> LastFence, LastDivide;
  SmallVector<uint32_t, 16> AccessesSinceFence;
};

} // namespace

RegionCode::RegionCode(const KernelFacts &Facts, const LatencyGraph &Graph,
                       ArrayRef<uint32_t> Blocks, unsigned Copies,
                       const Mechanisms &Used)
    : Facts(Facts), Graph(Graph), FirstBlock(Blocks.front()),
      LastBlock(Blocks.back()), Copies(Copies), Used(Used) {
  for (uint32_t Block : Blocks) {
    const BasicBlock &B = Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      PlaceOf[I] = uint32_t(Ops.size());
      Ops.push_back(I);
    }
  }
}

std::vector<IssueSlot> RegionCode::turns(double L2HitCycles,
                                         unsigned IssueWidth) {
  std::vector<IssueSlot> Turns;
  if (Facts.isInIssueOrder())
    for (uint32_t Op : Ops)
      Turns.push_back({Op, 0});
  else
    for (uint32_t Node : scheduledOrder(L2HitCycles))
      Turns.push_back({opOf(Node), copyOf(Node)});
  markIssuedTogether(Facts, Graph, IssueWidth, Turns);
  if (Used.has(Mechanism::AssemblerStalls))
    addStalls(Turns);
  return Turns;
}

std::vector<uint32_t> RegionCode::scheduledOrder(double L2HitCycles) {
  std::vector<ScheduleNode> Code(Ops.size() * Copies);
  for (uint32_t Node = 0; Node != Code.size(); ++Node) {
    ScheduleNode &Out = Code[Node];
    addInputs(Node, Out);
    if (isLeftToLastCopy(opOf(Node), copyOf(Node))) {
      Out.IssueCycles = Out.PipeCycles = 0;
      continue;
    }
    addTimes(Node, L2HitCycles, Out);
    addOrder(Node, Out);
  }
  if (Used.has(Mechanism::AssemblerOrder))
    return issueOrder(Code, Graph.registerLimit() ? addRegisters(Code)
                                                  : CodeRegisters());
  std::vector<uint32_t> AsWritten(Code.size());
  std::iota(AsWritten.begin(), AsWritten.end(), 0);
  return AsWritten;
}

void RegionCode::addInputs(uint32_t Node, ScheduleNode &Out) const {
  const unsigned Copy = copyOf(Node);
  const Operation &Op = Facts.Operations[opOf(Node)];
  if (Op.What == Semantics::Phi && Op.Block == FirstBlock) {
    // Of a later copy: what the copy before it made.
    for (const Operand &O : Op.Operands)
      if (Copy != 0 && isOfRegion(O))
        Out.Inputs.push_back(nodeOf(Copy - 1, O.Index));
    return;
  }
  auto IsBefore = [&](uint32_t Input) {
    auto From = PlaceOf.find(Input);
    return From != PlaceOf.end() && From->second < placeOf(Node);
  };
  for (const LatencyInput &In : Graph.inputsOf(opOf(Node)))
    if (IsBefore(In.Op))
      Out.Inputs.push_back({nodeOf(Copy, In.Op), std::round(In.ExtraCycles)});
  // A side waits for the condition that it is predicated with.
  if (uint32_t Into = Facts.Blocks[Op.Block].PredicatedInto;
      Into != NoIndex && Op.Block != FirstBlock) {
    const Operand &If = Facts.Branches[Facts.Blocks[Into].Branch].Condition;
    if (If.isValue() && IsBefore(If.Index))
      Out.Inputs.push_back(nodeOf(Copy, If.Index));
  }
}

/// The copy that makes what \p Copy reads as \p Value, and the value as that
/// copy makes it. Copies behind the last: made before the region.
std::pair<unsigned, uint32_t> RegionCode::valueOf(unsigned Copy,
                                                  uint32_t Value) const {
  const RegisterFlow &Flow = Graph.registers();
  for (;;) {
    const uint32_t MadeBy = Flow.MadeBy[Value];
    const Operation &Op = Facts.Operations[MadeBy];
    if (!PlaceOf.contains(MadeBy))
      return {Copies, Value};
    if (Op.What != Semantics::Phi || Op.Block != FirstBlock)
      return {Copy, Value};
    // What the copy before made, the first word for all of it.
    auto Latch = llvm::find_if(Op.Operands,
                               [&](const Operand &O) { return isOfRegion(O); });
    if (Copy == 0 || Latch == Op.Operands.end())
      return {Copies, Value};
    --Copy;
    const RegisterFlow::Operands &Made = Flow.OfOperation[Latch->Index];
    const RegisterFlow::Operands &Phi = Flow.OfOperation[MadeBy];
    const size_t Word = size_t(llvm::find(Phi.Defs, Value) - Phi.Defs.begin());
    if (Word >= Made.Defs.size())
      return {Copies, Value};
    Value = Made.Defs[Word];
  }
}

/// Numbers the values of all copies, and those that are made before them.
CodeRegisters
RegionCode::addRegisters(MutableArrayRef<ScheduleNode> Code) const {
  const RegisterFlow &Flow = Graph.registers();
  // Two loads of 16 bytes, or eight of four, find a place, though more is said
  // to be alive before them than there may be: what is alive is an estimate.
  constexpr unsigned LeastForLoads = 8;
  CodeRegisters Out;
  Out.AliveBefore = Flow.words(Flow.LiveIn[FirstBlock]);
  Out.Limit = std::max(*Graph.registerLimit(), Out.AliveBefore + LeastForLoads);
  DenseMap<std::pair<unsigned, uint32_t>, uint32_t> Numbers;
  auto NumberOf = [&](std::pair<unsigned, uint32_t> Value) {
    auto [It, IsNew] = Numbers.try_emplace(Value, Out.Values.size());
    if (IsNew)
      Out.Values.push_back({Flow.Words[Value.second], false});
    return It->second;
  };
  for (uint32_t Node = 0; Node != Code.size(); ++Node) {
    const uint32_t Index = opOf(Node);
    const Operation &Op = Facts.Operations[Index];
    if (Op.What == Semantics::Phi && Op.Block == FirstBlock)
      continue;
    const RegisterFlow::Operands &Of = Flow.OfOperation[Index];
    for (uint32_t V : Of.Uses)
      if (uint32_t N = NumberOf(valueOf(copyOf(Node), V));
          !is_contained(Code[Node].Uses, N))
        Code[Node].Uses.push_back(N);
    for (uint32_t V : Of.Defs)
      Code[Node].Defs.push_back(NumberOf({copyOf(Node), V}));
    Code[Node].IsLoad = Op.Access != NoIndex && Op.NumResults != 0;
  }
  for (unsigned V : Flow.LiveOut[LastBlock].set_bits())
    if (auto It = Numbers.find(valueOf(Copies - 1, V)); It != Numbers.end())
      Out.Values[It->second].IsKept = true;
  return Out;
}

/// Which loads miss L2 an assembler does not know, and it counts in whole
/// cycles.
void RegionCode::addTimes(uint32_t Node, double L2HitCycles,
                          ScheduleNode &Out) const {
  const LatencyNode &Self = Graph[opOf(Node)];
  const bool IsAccess = Facts.Operations[opOf(Node)].Access != NoIndex;
  Out.LatencyCycles =
      std::round(IsAccess ? std::min(Self.Latency.Cycles, L2HitCycles)
                          : Self.Latency.Cycles);
  Out.IssueCycles = Self.GoesOnAfter;
  Out.PipeCycles = std::round(Self.PipeCycles);
  Out.Pipe = Self.Pipe;
}

/// Loads move up as far as their addresses and the stores before them allow.
/// Nothing moves across a slow path: ptxas schedules the code before and behind
/// its branch apart. Nothing moves across a wait for products either: their
/// sums, which code behind it uses, name no wait.
void RegionCode::addOrder(uint32_t Node, ScheduleNode &Out) {
  const Operation &Op = Facts.Operations[opOf(Node)];
  if (LastDivide)
    Out.After.push_back(*LastDivide);
  if (hasSlowPath(Op) || Op.What == Semantics::WaitProducts)
    LastDivide = Node;
  const bool Fence = isFence(Op);
  if (Fence || isControl(Op)) {
    for (uint32_t Before = LastFence.value_or(0); Before != Node; ++Before)
      Out.After.push_back(Before);
    if (Fence) {
      LastFence = Node;
      AccessesSinceFence.clear();
    }
    return;
  }
  if (Op.Access == NoIndex) {
    if (LastFence && isWarpGroupProduct(Op))
      Out.After.push_back(*LastFence);
    return;
  }
  if (LastFence)
    Out.After.push_back(*LastFence);
  const MemoryAccess &A = Facts.Accesses[Op.Access];
  for (uint32_t Before : AccessesSinceFence) {
    const MemoryAccess &Earlier =
        Facts.Accesses[Facts.Operations[opOf(Before)].Access];
    // A pointer that moves from copy to copy reaches other bytes in each.
    if (copyOf(Before) != copyOf(Node) && Earlier.Base == A.Base &&
        isOfRegion(A.Base))
      continue;
    if (mayConflict(Earlier, A))
      Out.After.push_back(Before);
  }
  // Bounds the edges of very long blocks; older accesses are ordered through
  // newer ones in practice.
  constexpr size_t MostOrderedAccesses = 64;
  if (AccessesSinceFence.size() == MostOrderedAccesses)
    AccessesSinceFence.erase(AccessesSinceFence.begin());
  AccessesSinceFence.push_back(Node);
}

void RegionCode::addStalls(MutableArrayRef<IssueSlot> Turns) const {
  DenseMap<std::pair<uint32_t, uint32_t>, double> ReadyAt;
  PerResource<double> PipeFree = {};
  double Now = 0;
  IssueSlot *Before = nullptr;
  for (IssueSlot &T : Turns) {
    double Ready = 0;
    for (const LatencyInput &In : Graph.inputsOf(T.Op))
      if (PlaceOf.contains(In.Op))
        if (auto Made = ReadyAt.find({In.Op, T.Copy}); Made != ReadyAt.end())
          Ready = std::max(Ready, Made->second + std::round(In.ExtraCycles));
    if (Facts.Operations[T.Op].Emits.empty() ||
        isLeftToLastCopy(T.Op, T.Copy)) {
      ReadyAt[{T.Op, T.Copy}] = Ready;
      continue;
    }
    const LatencyNode &Of = Graph[T.Op];
    const bool IsWithPrevious = T.IsWithPrevious && Ready <= Now;
    const double Start =
        IsWithPrevious
            ? Now
            : std::max({Before ? Now + 1 : 0, Ready, PipeFree[Of.Pipe]});
    PipeFree[Of.Pipe] = Start + std::round(Of.SharedTurnCycles);
    ReadyAt[{T.Op, T.Copy}] = isTracked(Resource(Of.Pipe))
                                  ? 0
                                  : Start + std::round(Of.Latency.Cycles);
    if (Before)
      Before->StallCycles = Start - Now;
    Before = &T;
    Now = Start;
  }
}

WarpSchedule::WarpSchedule(const KernelFacts &Facts, const LatencyGraph &Graph,
                           double L2HitCycles, unsigned IssueWidth,
                           const Mechanisms &Used)
    : FirstOfRegion(Facts.Blocks.size()), Order(Facts.Blocks.size()),
      PassOrder(Facts.Blocks.size()) {
  for (const Region &R : regionsOf(Facts)) {
    const uint32_t First = R.front();
    for (uint32_t Block : R)
      FirstOfRegion[Block] = First;
    Order[First] =
        RegionCode(Facts, Graph, R, 1, Used).turns(L2HitCycles, IssueWidth);
    if (unsigned Copies = Graph.copiesOf(First); Copies > 1)
      PassOrder[First] = RegionCode(Facts, Graph, R, Copies, Used)
                             .turns(L2HitCycles, IssueWidth);
  }
}
