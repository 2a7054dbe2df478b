//===- LatencyGraph.cpp - What each operation makes a warp wait -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/LatencyGraph.h"
#include "Latency/LoopCopies.h"
#include "Numbers/Numbers.h"
#include "Numbers/OperationKinds.h"
#include "Numbers/PairLatencies.h"
#include "Numbers/QueuedCalls.h"
#include "Numbers/WarpTraffic.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Model/RegisterFiles.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Makes the nodes of a graph, one by one.
class NodeMaker {
public:
  NodeMaker(const KernelFacts &Facts, const ExecutionProfile &Profile,
            ArrayRef<double> MostExecutions, unsigned WarpsPerBlock,
            const InstructionFetch &Fetch, bool HoldsLoadsBack, Numbers &N)
      : Facts(Facts), Profile(Profile), WarpsPerBlock(WarpsPerBlock),
        Fetch(Fetch), HoldsLoadsBack(HoldsLoadsBack), N(N),
        Stages(countStages(MostExecutions)) {}

  /// The node of operation \p Index, whose block is walked in passes of
  /// \p Copies.
  LatencyNode node(uint32_t Index, unsigned Copies);

private:
  void addInstructions(uint32_t Index, const Emission &E, LatencyNode &Out);
  void addAccess(const Operation &Op, unsigned Copies, LatencyNode &Out);
  double branchGap(uint32_t Op);
  double barrierGap();
  double sleepCycles(const Operation &Op);
  unsigned countStages(ArrayRef<double> MostExecutions) const;

  /// Schedulers that the warps of one block keep busy.
  double schedulersOfBlock() {
    return std::min<double>(N.schedulers(), WarpsPerBlock);
  }

  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  unsigned WarpsPerBlock;
  const InstructionFetch &Fetch;
  const bool HoldsLoadsBack;
  Numbers &N;
  /// Of a pipeline of bulk copies; 0: there is none.
  const unsigned Stages;
};

} // namespace

/// Stages of a pipeline whose tiles are filled by copies and freed by warps:
/// one has a barrier for each way.
unsigned NodeMaker::countStages(ArrayRef<double> MostExecutions) const {
  constexpr double BarriersOfStage = 2;
  double Made = 0;
  bool IsFreed = false;
  for (const Operation &Op : Facts.Operations) {
    if (Op.What == Semantics::InitBarrier)
      Made += MostExecutions[Op.Block];
    IsFreed |= Op.What == Semantics::WaitBarrier && Op.Imm <= 0;
  }
  return IsFreed ? unsigned(std::max(1.0, std::round(Made / BarriersOfStage)))
                 : 0;
}

LatencyNode NodeMaker::node(uint32_t Index, unsigned Copies) {
  const Operation &Op = Facts.Operations[Index];
  LatencyNode Out;
  Out.Group = groupPart(Facts, Op);
  // Who waits for a tile to be freed has as many under way as there are stages.
  if (Op.What == Semantics::WaitBarrier && Op.Imm <= 0 && Stages > 0) {
    Out.Group.Kind = AsyncKind::Arrival;
    Out.Group.Waits = true;
    Out.Group.MayRemain = Stages - 1 + unsigned(-Op.Imm);
  }
  double OnPath = 0;
  for (const Emission &E : Op.Emits) {
    addInstructions(Index, E, Out);
    OnPath += E.OnPath;
  }
  // The warp goes on when the longest chain in there is done.
  if (hasSlowPath(Op) || isCall(Op)) {
    Out.Latency.Cycles += Out.Gap;
    Out.Gap = Out.Latency.Cycles;
  }
  if (Op.What == Semantics::Sleep)
    Out.Gap += sleepCycles(Op);
  if (!Op.Queued.empty()) {
    const double Further = furtherLanesCycles(Op, Profile.Blocks[Op.Block], N);
    Out.Latency.Cycles += Further;
    Out.Gap += Further;
  }
  Out.IsFree = Op.Emits.empty();
  Out.IsPhi = Op.What == Semantics::Phi;
  Out.IsInLoop = Facts.Blocks[Op.Block].Loop != NoIndex;
  Out.IsOncePerPass = Copies > 1 && Op.Access == NoIndex && OnPath < 0.75;
  Out.TurnCycles = Out.PipeCycles;
  if (Op.Access != NoIndex)
    addAccess(Op, Copies, Out);
  return Out;
}

void NodeMaker::addInstructions(uint32_t Index, const Emission &E,
                                LatencyNode &Out) {
  Out.IssueCycles += E.Count * N.issueSlots(E.Class);
  Out.GoesOnAfter +=
      E.Count * std::min(1.0, N.issueSlots(E.Class)) * N.warpIssueGap();
  const double Busy = E.Count * N.issueInterval(E.Class);
  if (Busy >= Out.PipeCycles) {
    Out.PipeCycles = Busy;
    Out.SharedTurnCycles =
        std::min(Busy, E.Count * N.pipeCycles(E.Class) * N.schedulers());
    Out.Pipe = uint8_t(N.pipe(E.Class));
  }
  const bool IsProduct = warpGroupColumns(E.Class) != 0;
  // A fence has no result, and nothing waits for what is beside the path.
  if (E.OnPath != 0 && Facts.Operations[Index].Access == NoIndex &&
      E.Class != InstClass::MemBar)
    (IsProduct ? Out.GroupCycles : Out.Latency.Cycles) +=
        E.OnPath * N.latency(E.Class);
  if (E.Class == InstClass::Barrier) {
    Out.IsBarrier = true;
    Out.Gap += barrierGap();
  } else if (E.Class == InstClass::MemBar) {
    // The warp goes on when all SMs see what it wrote.
    Out.IsFence = true;
    Out.Gap += E.Count * N.issueInterval(E.Class);
  } else if (E.Class == InstClass::Branch) {
    // Less than once where iterations share a branch.
    Out.Gap += E.Count * branchGap(Index);
  } else if (E.Class == InstClass::Exit) {
    Out.IsExit = true;
  }
}

/// A sleep ends at the next tick of a clock, whose ticks are the time that is
/// asked for apart, rounded up to a power of two: half of that on average, and
/// all of it where sleeps follow one another. Loops that poll find what they
/// wait for and do not sleep.
///
/// Source: an H200 (sleep.csv of 2026-11-29T0250): 100 sleeps in a row of 20,
/// 100, 250, 500, 800 and 1000 ns take 43, 128, 255, 511, 1018 and 1018 ns
/// each, however many warps sleep; one alone of 100, 250, 500, 800, 1000 and
/// 2000 ns takes 52, 41, 389, 401, 644 and 1476 ns on the mean SM, by when it
/// begins.
double NodeMaker::sleepCycles(const Operation &Op) {
  if (!N.has(Mechanism::Sleeps) || Op.Imm <= 0)
    return 0;
  const uint32_t Index = Facts.Blocks[Op.Block].Loop;
  const LoopProfile *Loop =
      Index < Profile.Loops.size() ? &Profile.Loops[Index] : nullptr;
  if (Loop && Loop->Basis == TripBasis::Guessed)
    return 0;
  const bool InARow = Loop && Loop->TripCount > 1;
  const double Ticks = double(std::bit_ceil(uint64_t(Op.Imm)));
  return (InARow ? Ticks : Ticks / 2) * N.clockGhz();
}

double NodeMaker::barrierGap() {
  return N.get(Quantity::BarrierBase) +
         (WarpsPerBlock - 1) * N.get(Quantity::BarrierPerWarp);
}

/// A jump that closes or leaves a loop costs the refill of the warp's
/// instructions; one around a side that lanes may part for also opens and
/// closes their convergence.
double NodeMaker::branchGap(uint32_t Op) {
  const double Jump = N.get(Quantity::LoopBranch);
  const uint32_t Block = Facts.Operations[Op].Block;
  const uint32_t B = Facts.Blocks[Block].Branch;
  if (B == NoIndex || Facts.Branches[B].Op != Op)
    return Jump;
  const uint32_t L = Facts.Blocks[Block].Loop;
  const bool StaysInLoop =
      L == NoIndex || all_of(Facts.Blocks[Block].Successors, [&](uint32_t S) {
        return S != Facts.Loops[L].Header &&
               is_contained(Facts.Loops[L].Blocks, S);
      });
  if (!StaysInLoop)
    return Jump;
  const BranchProfile &P = Profile.Branches[B];
  const double Taken = P.TakenLaneFraction;
  return Taken * N.get(Quantity::BranchTaken) +
         (1 - Taken) * N.get(Quantity::BranchNotTaken) +
         P.DivergentFraction * N.get(Quantity::BranchDivergent);
}

void NodeMaker::addAccess(const Operation &Op, unsigned Copies,
                          LatencyNode &Out) {
  const AccessProfile &P = Profile.Accesses[Op.Access];
  const MemoryAccess &A = Facts.Accesses[Op.Access];
  if (A.Bulk) {
    Out.Latency = accessLatency(A, P, N);
    return;
  }
  Out.IsStore = A.Kind == AccessKind::Store;
  if (A.Space == MemorySpace::Shared) {
    Out.StageCycles = std::max(1.0, P.WavefrontsPerRequest) *
                      N.get(Quantity::SharedWavefront);
    // The schedulers share that stage, and as long as warps of a block do the
    // same at the same time each waits for the wavefronts of all.
    const double AtOnce = Fetch.keepsInStep(Op.Block) ? schedulersOfBlock() : 1;
    Out.TurnCycles = std::max(Out.TurnCycles, AtOnce * Out.StageCycles);
  } else if (Out.IsStore) {
    Out.TurnCycles =
        std::max(Out.TurnCycles,
                 schedulersOfBlock() * N.storeCycles(P.SectorsPerRequest));
  }
  const double Executions = Profile.Blocks[Op.Block].ExecutionsPerWarp;
  const double Active =
      Executions > 0 ? std::min(1.0, P.RequestsPerWarp / Executions) : 1;
  double Each = Out.StageCycles;
  if (isCached(A.Space))
    Each = std::max(P.LinesPerRequest / N.get(Quantity::L1TagLinesPerCycle),
                    P.WavefrontsPerRequest * N.get(Quantity::L1Wavefront));
  Out.DataCycles = Each;
  // The way of a scheduler to L1 takes half of what L1 does, and what the warp
  // asks next waits for it. Source: one warp of an H200 that loads 1, 2, 4 and
  // 8 times 32 lines of L1 before it waits takes 112, 174, 302 and 527 cycles,
  // two on two schedulers the same, and four 130, 259, 514 and 1030
  // (l1-requests.csv of 2026-11-30T1235).
  if (A.Kind == AccessKind::Load && isCached(A.Space))
    Out.TurnCycles = std::max(Out.TurnCycles, 2 * Each);
  // Copies pass the same stage, and what the warp asks of it then waits behind
  // them; so does what overwrites the registers of their addresses.
  if (A.Kind == AccessKind::AsyncCopy) {
    const double AtOnce = Fetch.keepsInStep(Op.Block) ? schedulersOfBlock() : 1;
    Out.TurnCycles = std::max(Out.TurnCycles, AtOnce * Each);
  }
  AccessProfile InPass = inPassOf(Copies, Facts, Op.Access, P);
  Out.Latency = accessLatency(A, InPass, N).inPart(Active);
  if (!HoldsLoadsBack)
    return;
  if (P.AwaitsOtherFraction > 0 && P.AwaitedAccess < Facts.Accesses.size()) {
    Out.Awaited = Facts.Accesses[P.AwaitedAccess].Op;
    InPass.L1WaitFraction *= 1 - P.AwaitsOtherFraction;
    Out.BehindAwaited = accessLatency(A, InPass, N).inPart(Active);
  } else if (InPass.L1WaitFraction > P.L1WaitFraction) {
    Out.Awaited = A.Op;
    Out.BehindAwaited = accessLatency(A, P, N).inPart(Active);
  }
}

/// What the latency of the producer of \p O, an operand of \p Op, differs by.
static double extraCycles(const KernelFacts &Facts, const Operation &Op,
                          const Operand &O, const PairLatencies &Pairs) {
  const Operation &Producer = Facts.Operations[O.Index];
  if (Op.Emits.empty() || Producer.Emits.empty())
    return 0;
  const bool IsAddress =
      Op.Access != NoIndex && Facts.Accesses[Op.Access].Base == O;
  const OperandUse Use = isControl(Op) ? OperandUse::Predicate
                         : IsAddress   ? OperandUse::Address
                                       : OperandUse::Value;
  return Pairs.extraCycles(
      {Producer.Emits.back().Class, Op.Emits.front().Class, Use});
}

LatencyGraph::LatencyGraph(const KernelFacts &Facts,
                           const ExecutionProfile &Profile,
                           ArrayRef<double> MostExecutions,
                           unsigned WarpsPerBlock,
                           const InstructionFetch &Fetch, Numbers &N) {
  // Who asks for fewer registers than code wants has values on the stack, and
  // which of them is not known.
  const bool MaySpill =
      Facts.Bounds.MinBlocksPerSm != 0 || Facts.Bounds.MaxRegisters != 0;
  if (N.has(Mechanism::RegisterLimits) && !Facts.isInIssueOrder() && !MaySpill)
    RegisterLimit = registersOfValues(
        Facts.Resources.RegistersPerThread,
        registersAtEase(Facts.Bounds, registerFile(N.device().limits())));
  if (RegisterLimit)
    Registers = registerFlow(Facts);
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
    CopiesOf.push_back(
        N.has(Mechanism::LoopCopies) ? copiesOfBody(Facts, Profile, B) : 1);
  NodeMaker Maker(Facts, Profile, MostExecutions, WarpsPerBlock, Fetch,
                  RegisterLimit.has_value(), N);
  const PairLatencies &Pairs = N.pairLatencies();
  Nodes.reserve(Facts.Operations.size());
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    Nodes.push_back(Maker.node(I, CopiesOf[Op.Block]));
    FirstInput.push_back(Inputs.size());
    for (const Operand &O : Op.Operands)
      if (O.isValue())
        Inputs.push_back({O.Index, extraCycles(Facts, Op, O, Pairs)});
  }
  FirstInput.push_back(Inputs.size());
  countGroupsInFlight(Facts);
  if (std::optional<double> Reach = N.device().get(Quantity::DramNeighborBytes))
    findNeighborhoods(Facts, *Reach);
}

void LatencyGraph::countGroupsInFlight(const KernelFacts &Facts) {
  for (const Loop &L : Facts.Loops) {
    unsigned Most = 0;
    bool Waits = false, WaitsForOldest = false, Begins = false;
    for (uint32_t Block : L.Blocks) {
      const BasicBlock &B = Facts.Blocks[Block];
      for (const LatencyNode &Node : nodes().slice(B.FirstOp, B.NumOps)) {
        Most = std::max(Most, Node.Group.MayRemain);
        Waits |= Node.Group.Waits;
        WaitsForOldest |= Node.Group.WaitsForOldest;
        Begins |= Node.Group.Commits;
      }
    }
    GroupsInFlight.push_back(Most);
    WaitsForArrivals.push_back(WaitsForOldest);
    FillsStages.push_back(Begins && !Waits);
  }
}

/// Loads through one pointer at offsets within what DRAM brings together.
void LatencyGraph::findNeighborhoods(const KernelFacts &Facts,
                                     double ReachBytes) {
  std::vector<const MemoryAccess *> Loads;
  for (const MemoryAccess &A : Facts.Accesses)
    if (A.Kind == AccessKind::Load && A.Base.isValue() &&
        Nodes[A.Op].Latency.VarianceCycles2 > 0)
      Loads.push_back(&A);
  llvm::sort(Loads, [](const MemoryAccess *A, const MemoryAccess *B) {
    return std::tie(A->Base.Index, A->OffsetBytes, A->Op) <
           std::tie(B->Base.Index, B->OffsetBytes, B->Op);
  });
  const MemoryAccess *First = nullptr;
  for (const MemoryAccess *A : Loads) {
    if (!First || First->Base.Index != A->Base.Index ||
        double(A->OffsetBytes - First->OffsetBytes) >= ReachBytes)
      First = A;
    Nodes[A->Op].Neighborhood = First->Op;
    const unsigned Copies = CopiesOf[Facts.Operations[A->Op].Block];
    if (const std::optional<int64_t> Step = stepOf(Facts, *A))
      Nodes[A->Op].SpansCopies = std::abs(double(*Step)) * Copies <= ReachBytes;
  }
}
