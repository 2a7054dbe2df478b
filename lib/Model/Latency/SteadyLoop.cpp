//===- SteadyLoop.cpp - The loop in which a warp spends its time ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/SteadyLoop.h"
#include "Latency/WarpCode.h"
#include "Numbers/Numbers.h"
#include "Numbers/PipeKinds.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static ArrayRef<LatencyNode> nodesOf(const WarpCode &Code, uint32_t Block) {
  const BasicBlock &B = Code.Facts.Blocks[Block];
  return Code.Graph.nodes().slice(B.FirstOp, B.NumOps);
}

static bool isSteady(const WarpCode &Code, uint32_t Block) {
  const uint32_t L = Code.Facts.Blocks[Block].Loop;
  return L != NoIndex && Code.Facts.Loops[L].Header == Block &&
         Code.Facts.Loops[L].Blocks.size() == 1 &&
         none_of(nodesOf(Code, Block), [](const LatencyNode &Node) {
           return Node.Latency.waitsForMemory() || Node.IsBarrier ||
                  Node.Group.Commits || Node.Group.Waits;
         });
}

/// Scheduler cycles of all executions of \p Block.
static double issueCycles(const WarpCode &Code, uint32_t Block) {
  double Cycles = 0;
  for (const LatencyNode &Node : nodesOf(Code, Block))
    Cycles += Node.IssueCycles;
  return Cycles * Code.Profile.Blocks[Block].ExecutionsPerWarp;
}

/// The body of the steady loop that issues most, or NoIndex.
static uint32_t busiestBody(const WarpCode &Code) {
  uint32_t Body = NoIndex;
  double Most = 0;
  for (uint32_t B = 0; B != Code.Facts.Blocks.size(); ++B)
    if (isSteady(Code, B))
      if (double Cycles = issueCycles(Code, B); Cycles > Most) {
        Body = B;
        Most = Cycles;
      }
  return Body;
}

namespace {

/// One pass through a loop.
class PassMaker {
public:
  PassMaker(const WarpCode &Code, uint32_t Block, Numbers &N);

  std::vector<LoopInstruction> body();

private:
  LoopInstruction instruction(const IssueSlot &T);
  const PipeQueue &queue(Resource Pipe);
  void addInputs(const IssueSlot &T, LoopInstruction &Out) const;

  bool isPhi(const IssueSlot &T) const {
    return Code.Facts.Operations[T.Op].What == Semantics::Phi;
  }
  size_t placeOf(uint32_t Op, unsigned Copy) const {
    return size_t(Copy) * B.NumOps + Op - B.FirstOp;
  }

  const WarpCode &Code;
  Numbers &N;
  const BasicBlock &B;
  unsigned Copies;
  std::vector<IssueSlot> Turns;
  /// Index in Turns of each operation of each copy.
  std::vector<uint32_t> IndexOf;
  /// Those of the pipes that were asked for.
  PerResource<std::optional<PipeQueue>> Queues;
};

} // namespace

PassMaker::PassMaker(const WarpCode &Code, uint32_t Block, Numbers &N)
    : Code(Code), N(N), B(Code.Facts.Blocks[Block]),
      Copies(Code.Graph.copiesOf(Block)),
      IndexOf(size_t(Copies) * B.NumOps, NoIndex) {
  const ArrayRef<IssueSlot> Scheduled = Copies > 1
                                            ? Code.Schedule.slotsOfPass(Block)
                                            : Code.Schedule.turns(Block);
  // Phis come first: those of the first copy take what the last one made.
  for (bool EnterLoop : {true, false})
    for (const IssueSlot &T : Scheduled)
      if ((T.Copy == 0 && isPhi(T)) == EnterLoop) {
        IndexOf[placeOf(T.Op, T.Copy)] = Turns.size();
        Turns.push_back(T);
      }
}

std::vector<LoopInstruction> PassMaker::body() {
  std::vector<LoopInstruction> Body;
  for (const IssueSlot &T : Turns) {
    Body.push_back(instruction(T));
    addInputs(T, Body.back());
  }
  return Body;
}

const PipeQueue &PassMaker::queue(Resource Pipe) {
  std::optional<PipeQueue> &Queue = Queues[size_t(Pipe)];
  if (!Queue)
    Queue = queueOf(Pipe, N);
  return *Queue;
}

LoopInstruction PassMaker::instruction(const IssueSlot &T) {
  const LatencyNode &Of = Code.Graph[T.Op];
  const bool IsLast = T.Copy + 1 == Copies;
  LoopInstruction Out;
  Out.IsIssued = !Code.Facts.Operations[T.Op].Emits.empty() &&
                 (!Of.IsOncePerPass || IsLast);
  if (!Out.IsIssued)
    return Out;
  const double Times = Of.IsOncePerPass ? Copies : 1;
  Out.IssueCycles = Times * Of.IssueCycles;
  Out.PipeCycles = Times * Of.SharedTurnCycles;
  Out.Pipe = Of.Pipe;
  Out.StageCycles = Of.StageCycles;
  Out.Queue = queue(Resource(Of.Pipe));
  Out.NextCycles = std::max(T.StallCycles, Times * Of.nextCycles());
  Out.LatencyCycles = Times * Of.Latency.Cycles;
  return Out;
}

void PassMaker::addInputs(const IssueSlot &T, LoopInstruction &Out) const {
  for (const LatencyInput &In : Code.Graph.inputsOf(T.Op)) {
    // What is made outside of the loop is there.
    if (In.Op < B.FirstOp || In.Op >= B.FirstOp + B.NumOps)
      continue;
    const unsigned From = !isPhi(T)     ? T.Copy
                          : T.Copy == 0 ? Copies - 1
                                        : T.Copy - 1;
    Out.Inputs.push_back(
        {IndexOf[placeOf(In.Op, From)], std::round(In.ExtraCycles)});
  }
}

std::optional<SteadyLoop> gpuocc::busiestSteadyLoop(const WarpCode &Code,
                                                    Numbers &N) {
  const uint32_t Block = busiestBody(Code);
  if (Block == NoIndex)
    return std::nullopt;
  SteadyLoop Loop;
  Loop.Body = PassMaker(Code, Block, N).body();
  Loop.Schedulers = unsigned(N.schedulers());
  Loop.AreInStep = Code.Fetch.keepsInStep(Block);
  Loop.PassesPerWarp =
      Code.Profile.Blocks[Block].ExecutionsPerWarp / Code.Graph.copiesOf(Block);
  for (LoopInstruction &I : Loop.Body) {
    if (!I.IsIssued)
      continue;
    Loop.IssueCycles += I.IssueCycles;
    Loop.PipeCycles[I.Pipe] +=
        std::max(I.PipeCycles, N.schedulers() * I.StageCycles);
    for (double *Cycles :
         {&I.PipeCycles, &I.StageCycles, &I.NextCycles, &I.LatencyCycles})
      *Cycles = wholeCycles(*Cycles);
  }
  return Loop;
}
