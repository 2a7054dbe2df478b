//===- WarpWalk.cpp - One warp on its way through the code ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/WarpWalk.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace gpuocc;
using namespace llvm;

WarpWalk::WarpWalk(const WarpCode &Code, const WalkOptions &Options)
    : Code(Code), Facts(Code.Facts), Options(Options),
      IssueCycle(Facts.Operations.size(), -1),
      FirstCopies(Facts.Blocks.size()) {
  size_t NumResults = Facts.Operations.size();
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    FirstCopies[B] = NumResults;
    NumResults += size_t(Code.Graph.copiesOf(B) - 1) * Facts.Blocks[B].NumOps;
  }
  Board.resize(NumResults);
  unsigned Ahead = 0;
  for (const LatencyNode &Node : Code.Graph.nodes())
    Ahead = std::max(Ahead, Node.Group.Ahead);
  Board.Clock.Groups[size_t(AsyncKind::Arrival)].addDone(
      std::min(Ahead, MostGroups / 2));
}

double WarpWalk::run() {
  if (Options.Kinds)
    Options.Kinds->beginWarp();
  walkRegion(NoIndex, 1);
  awaitKinds(Facts.Operations.size());
  if (Options.MeanOfBlock)
    awaitBlock();
  return Board.Clock.Now;
}

double WarpWalk::deviation() const {
  return std::sqrt(std::max(0.0, Board.Clock.ownVariance()));
}

size_t WarpWalk::slot(uint32_t Op, unsigned OfCopy) const {
  if (OfCopy + 1 == Copies)
    return Op;
  const BasicBlock &B = Facts.Blocks[InBlock];
  if (Op < B.FirstOp || Op >= B.FirstOp + B.NumOps)
    return Op;
  return FirstCopies[InBlock] + size_t(OfCopy) * B.NumOps + Op - B.FirstOp;
}

double WarpWalk::executions(uint32_t Block) const {
  return Code.Profile.Blocks[Block].ExecutionsPerWarp;
}

/// Steps from \p First on happen \p Factor times as often as they were walked.
void WarpWalk::scaleSteps(size_t First, double Factor) {
  for (size_t I = First; I < numSteps(); ++I)
    (*Options.Path)[I].CyclesTotal *= Factor;
}

/// What the warp has asked of the units; nothing where nobody wants to know.
std::optional<UnitDemand> WarpWalk::askedSoFar() const {
  return Options.MeanOfBlock ? std::optional(Board.Demand) : std::nullopt;
}

/// Something that happens with probability \p Fraction: the clock advances by
/// that share.
template <typename Function>
void WarpWalk::walkPartly(double Fraction, Function Do) {
  constexpr double Negligible = 1e-6;
  if (Fraction < Negligible)
    return;
  if (!(Fraction < 1)) {
    Do();
    return;
  }
  const WarpClock Before = Board.Clock;
  const std::optional<UnitDemand> Asked = askedSoFar();
  const size_t FirstStep = numSteps();
  const bool IsOutermost = !std::exchange(InPart, true);
  const double PartOfAll = std::exchange(Part, Part * Fraction);
  if (IsOutermost) {
    Board.NeverBefore = Before.Now;
    Board.keepWritten(true);
  }
  const size_t FirstWritten = Board.numWritten();
  Do();
  const double Walked = Board.Clock.Now;
  Board.Clock.keepShare(Before, Fraction);
  Board.hasten(FirstWritten, Before.Now, Walked - Board.Clock.Now);
  if (Asked)
    Board.Demand.keepShare(*Asked, Before.Now, Fraction);
  scaleSteps(FirstStep, Fraction);
  Part = PartOfAll;
  if (IsOutermost) {
    InPart = false;
    Board.keepWritten(false);
  }
}

/// Walks the children of loop \p L, or of the kernel, which is entered
/// \p Entries times per warp (iterations, for a loop).
void WarpWalk::walkRegion(uint32_t L, double Entries) {
  for (LoopTree::Child Child : Code.Loops.childrenOf(L)) {
    if (Child.IsLoop) {
      walkLoop(Child.Index, Entries);
      continue;
    }
    walkPartly(Entries > 0 ? executions(Child.Index) / Entries : 0,
               [&] { walkBlock(Child.Index); });
  }
}

void WarpWalk::walkLoop(uint32_t L, double ParentEntries) {
  const double Iterations = executions(Facts.Loops[L].Header);
  const double Entries =
      Iterations / std::max(1.0, Code.Profile.Loops[L].TripCount);
  if (ParentEntries <= 0 || Entries <= 0)
    return;
  // Warps that go round more often than the mean do so in each entry.
  const double Trips = std::max(1.0, Code.Profile.Loops[L].TripCount) *
                       std::max(1.0, Entries / ParentEntries);
  walkPartly(std::min(1.0, Entries / ParentEntries),
             [&] { walkIterations(L, Iterations, Trips); });
}

/// Groups of asynchronous work that are under way while loop \p L waits for
/// one: as many as its waits leave, or as were begun before it.
unsigned WarpWalk::groupsInFlight(uint32_t L) const {
  // Bounds the walks of a loop.
  constexpr size_t MostInFlight = MostGroups / 2;
  size_t InFlight = Code.Graph.groupsInFlight(L);
  if (Code.Graph.waitsForArrivals(L))
    InFlight = std::max(
        InFlight, Board.Clock.Groups[size_t(AsyncKind::Arrival)].numUnderWay());
  return unsigned(std::min(InFlight, MostInFlight));
}

/// Goes once through loop \p L, whose body a warp executes \p Iterations times
/// in all, \p TripsOfEntry of them in one go.
void WarpWalk::walkIterations(uint32_t L, double Iterations,
                              double TripsOfEntry) {
  // Three iterations reach the steady period of every recurrence of distance
  // one. With groups of several iterations in flight, those begun before the
  // loop are awaited first, and then one iteration may wait for all the others:
  // the mean over as many is steady. A loop that only begins groups leaves all
  // of them to others.
  const unsigned Period = 1 + groupsInFlight(L);
  const unsigned Walked = Code.Graph.fillsStages(L) ? MostGroups
                          : Period == 1             ? 3
                                                    : 2 + 2 * Period;
  const uint32_t Body = Facts.Loops[L].Header;
  const double Trips = Options.OncePerLoop ? 1 : TripsOfEntry;
  const unsigned CopiesOfBody =
      Options.OncePerLoop ? 1 : Code.Graph.copiesOf(Body);
  const bool InPasses = CopiesOfBody > 1 && Trips >= CopiesOfBody;
  const double IterationsAtOnce = InPasses ? CopiesOfBody : 1;
  const double Fetch = Code.Fetch.waitCycles(L) * IterationsAtOnce;
  // Iterations, or passes of several.
  double Left = Trips / IterationsAtOnce;
  WarpClock Before;
  std::optional<UnitDemand> Asked;
  size_t FirstStep = numSteps();
  for (unsigned I = 0; I != Walked && Left > 0; ++I) {
    // A loop that ends before has its last iteration for a period.
    if (I + Period <= Walked || Left <= 1) {
      Before = Board.Clock;
      Asked = askedSoFar();
      FirstStep = numSteps();
    }
    walkPartly(std::min(1.0, Left), [&] {
      if (InPasses)
        walkPass(Body);
      else
        walkRegion(L, Iterations);
      Board.Clock.Now += Fetch;
    });
    BranchedBack = true;
    Left -= 1;
  }
  if (Options.CyclesOfIteration)
    (*Options.CyclesOfIteration)[L] =
        (Board.Clock.Now - Before.Now) /
        (IterationsAtOnce * (Left > 0 ? Period : std::min(1.0, Left + 1)));
  if (Left <= 0)
    return;
  Left /= Period;
  const WarpClock &After = Board.Clock;
  const double Wait = After.WaitAfterBack - Before.WaitAfterBack;
  const double Held = After.HeldByBlock - Before.HeldByBlock;
  const double AtBarriers = After.AtBarriers - Before.AtBarriers;
  const bool HaveMet = After.MetAt > Before.Now;
  const double Repeated = Left * (After.Now - Before.Now);
  if (!InPart)
    Board.NeverBefore = Board.Clock.Now;
  if (Asked)
    Board.Demand.repeat(*Asked, Before.Now, Left, Repeated);
  Board.repeat(Repeated, Left * (After.Variance - Before.Variance),
               Left * (After.SharedVariance - Before.SharedVariance));
  Board.Clock.WaitAfterBack += Left * Wait;
  Board.Clock.HeldByBlock += Left * Held;
  Board.Clock.AtBarriers += Left * AtBarriers;
  if (HaveMet)
    Board.Clock.MetAt += Repeated;
  scaleSteps(FirstStep, 1 + Left);
}

/// The operand of \p Op that arrives last. Inputs of phis from blocks not
/// walked yet have no time; they are at 0.
Arrival WarpWalk::lastOperand(uint32_t Op) const {
  const Arrival *Last = nullptr;
  for (const LatencyInput &In : Code.Graph.inputsOf(Op))
    if (const Arrival &A = result(In.Op); A.Cycle > (Last ? Last->Cycle : 0))
      Last = &A;
  return Last ? *Last : Arrival();
}

/// The operand of \p Phi of \p Block that arrives last. What a side makes that
/// runs in a part of the executions is awaited in that part.
Arrival WarpWalk::lastOfSides(uint32_t Block, uint32_t Phi) const {
  const uint32_t Loop = Facts.Blocks[Block].Loop;
  if (Loop != NoIndex && Facts.Loops[Loop].Header == Block)
    return lastOperand(Phi);
  Arrival Last;
  for (const LatencyInput &In : Code.Graph.inputsOf(Phi)) {
    const uint32_t Side = Facts.Operations[In.Op].Block;
    const double Part = executions(Side) / executions(Block);
    Arrival Then = result(In.Op);
    if (Part < 1 && Then.Cycle > Board.Clock.Now)
      Then.Cycle = Board.Clock.Now + Part * (Then.Cycle - Board.Clock.Now);
    if (Then.Cycle > Last.Cycle)
      Last = Then;
  }
  return Last;
}

/// The phis of \p B with what \p Find gives for each: they read the values of
/// the edge, all at once.
template <typename Function>
static auto readPhis(const LatencyGraph &Graph, const BasicBlock &B,
                     Function Find) {
  SmallVector<std::pair<uint32_t, Arrival>, 8> Phis;
  for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
    if (Graph[I].IsPhi)
      Phis.push_back({I, Find(I)});
  return Phis;
}

void WarpWalk::walkBlock(uint32_t Block) {
  // What is scheduled with another block was walked with it.
  if (!Code.Schedule.beginsRegion(Block))
    return;
  RegionSince = Board.Clock.Now;
  for (auto &[Phi, Ready] :
       readPhis(Code.Graph, Facts.Blocks[Block],
                [&](uint32_t Phi) { return lastOfSides(Block, Phi); }))
    setResult(Phi, Ready);
  for (const IssueSlot &T : Code.Schedule.turns(Block))
    if (!Code.Graph[T.Op].IsPhi)
      issue(T);
    else if (Facts.Operations[T.Op].Block != Block)
      setResult(T.Op, lastOperand(T.Op));
}

/// One pass through an unrolled loop: the copies of its body \p Block.
void WarpWalk::walkPass(uint32_t Block) {
  RegionSince = Board.Clock.Now;
  InBlock = Block;
  Copies = Code.Graph.copiesOf(Block);
  auto Enter = [&](uint32_t Phi, unsigned OfCopy) {
    // The first copy continues where the last one of the pass before ended.
    Copy = OfCopy == 0 ? Copies - 1 : OfCopy - 1;
    Arrival Ready = lastOperand(Phi);
    Copy = OfCopy;
    return Ready;
  };
  for (auto &[Phi, Ready] :
       readPhis(Code.Graph, Facts.Blocks[Block],
                [&](uint32_t Phi) { return Enter(Phi, 0); }))
    setResult(Phi, Ready);
  for (const IssueSlot &T : Code.Schedule.slotsOfPass(Block)) {
    Copy = T.Copy;
    if (!Code.Graph[T.Op].IsPhi)
      issue(T);
    else if (T.Copy != 0)
      setResult(T.Op, Enter(T.Op, T.Copy));
  }
  InBlock = NoIndex;
  Copy = 0;
  Copies = 1;
}

/// True if what \p Op computes is there when its operands are.
bool WarpWalk::takesNoTime(uint32_t Op) const {
  const LatencyNode &Node = Code.Graph[Op];
  return Node.IsFree ||
         (Options.Instant && Node.Pipe == uint8_t(*Options.Instant)) ||
         (Node.IsOncePerPass && Copy + 1 != Copies);
}

/// True if \p Op can start at \p Start and not now because of what L2 or DRAM
/// has yet to deliver.
bool WarpWalk::waitsForMemory(uint32_t Op, double Start) const {
  if (Start <= Board.Clock.Now + 1)
    return false;
  double OperandsReady = 0;
  for (const LatencyInput &In : Code.Graph.inputsOf(Op))
    OperandsReady = std::max(OperandsReady, result(In.Op).Cycle);
  return any_of(Code.Graph.inputsOf(Op), [&](const LatencyInput &In) {
    return Code.Graph[In.Op].Latency.waitsForMemory() &&
           result(In.Op).Cycle + In.ExtraCycles + 1 >= OperandsReady;
  });
}

/// Writes down that \p Op waits until \p Start, for its operands or else for
/// its pipe.
void WarpWalk::noteWait(uint32_t Op, double Start, bool ForOperands) {
  Options.Path->push_back(
      {Op, Start, Start - Board.Clock.Now,
       ForOperands ? "waits for its operands" : "waits for its pipe"});
  if (Options.Producers)
    Options.Producers->push_back(ForOperands ? lastOperand(Op).From : NoIndex);
}

/// When \p Op, whose operands arrive at \p OperandsThere, can issue; counts the
/// wait.
double WarpWalk::findStart(uint32_t Op, double OperandsThere) {
  const LatencyNode &Node = Code.Graph[Op];
  WarpClock &Clock = Board.Clock;
  const double OperandsKnown = std::max(OperandsThere, Clock.StalledUntil);
  double Start = std::max(OperandsKnown, Clock.PipeFree[Node.Pipe]);
  if (Node.Group.Waits)
    Start = std::max(Start, groupsOf(Node).doneCycle(Node.Group));
  if (Node.IsExit || Node.IsFence)
    Start = std::max(Start, Clock.AllStoresTaken);
  if ((BranchedBack || Options.MeanOfBlock) && waitsForMemory(Op, Start)) {
    if (BranchedBack)
      Clock.WaitAfterBack += Start - Clock.Now;
    BranchedBack = false;
    if (Options.MeanOfBlock)
      Board.Demand.endStretch(Clock.Now, Start, Code.warpsOfScheduler());
  }
  if (Options.Path && Start > Clock.Now + 1)
    noteWait(Op, Start, OperandsKnown >= Start);
  return Start;
}

/// The latency of \p Op, which issues at \p Start: short where another load,
/// or the copy before, has asked for the same and has it.
const OperationLatency &WarpWalk::latencyOf(uint32_t Op, double Start) const {
  const LatencyNode &Node = Code.Graph[Op];
  const bool IsOfCopies = Node.Awaited == Op;
  if (Node.Awaited == NoIndex || (IsOfCopies && Copy == 0))
    return Node.Latency;
  const Arrival &Brought =
      Board.Results[slot(Node.Awaited, IsOfCopies ? Copy - 1 : Copy)];
  return Brought.IssueCycle >= RegionSince && Brought.Cycle <= Start
             ? Node.BehindAwaited
             : Node.Latency;
}

/// When the result of \p Op, which issues at \p Start for \p Times copies at
/// once, can be used.
Arrival WarpWalk::arrival(uint32_t Op, double Start, double Times) const {
  const LatencyNode &Node = Code.Graph[Op];
  const OperationLatency &Latency = latencyOf(Op, Start);
  const double Load = Latency.L2Share * Options.Delay.L2 +
                      Latency.DramShare * Options.Delay.Dram;
  const double Cycles =
      Times * Latency.Cycles + (Load > 0 ? Load * Latency.SlowestLine : Load);
  // Without memory nothing varies; with load, queueing does as much as it
  // delays.
  const bool Varies =
      Options.Delay.Dram >= 0 && (!Options.OnlyLoopsVary || Node.IsInLoop);
  return {Start + Cycles,
          Varies ? Latency.VarianceCycles2 + Load * Load : 0,
          Board.Clock.Variance,
          Varies ? Latency.CommonVarianceCycles2 : 0,
          Start,
          Node.Neighborhood,
          Node.SpansCopies ? 0 : Copy,
          Op};
}

/// True if \p T is scheduled with the instruction before it and nothing that it
/// uses comes later.
bool WarpWalk::issuesWithPrevious(const IssueSlot &T) const {
  const WarpClock &Clock = Board.Clock;
  const LatencyNode &Node = Code.Graph[T.Op];
  return T.IsWithPrevious && Clock.StalledUntil <= Clock.LastIssue &&
         !Node.Group.Waits &&
         (!(Node.IsExit || Node.IsFence) ||
          Clock.AllStoresTaken <= Clock.LastIssue) &&
         all_of(Code.Graph.inputsOf(T.Op), [&](const LatencyInput &In) {
           return result(In.Op).Cycle + In.ExtraCycles <= Clock.LastIssue;
         });
}

/// True if a warp of the block executes \p Op this time, should it begin or
/// close a group of copies that arrive at a barrier: one of them does so for
/// all, but none in an iteration that only leaves the loop.
bool WarpWalk::begins(uint32_t Op) {
  const GroupPart &Group = Code.Graph[Op].Group;
  if (Group.Kind != AsyncKind::Arrival || !(Group.IsMember || Group.Commits))
    return true;
  double &Owed = OwedOf.try_emplace(Op, 0.5).first->second;
  const uint32_t Block = Facts.Operations[Op].Block;
  Owed += std::min(1.0, Part * Code.MostExecutions[Block] / executions(Block));
  if (Owed < 1)
    return false;
  Owed -= 1;
  return true;
}

void WarpWalk::issue(const IssueSlot &T) {
  if (takesNoTime(T.Op)) {
    setResult(T.Op, lastOperand(T.Op));
    return;
  }
  const LatencyNode &Node = Code.Graph[T.Op];
  WarpClock &Clock = Board.Clock;
  const bool IsWithPrevious = issuesWithPrevious(T);
  RandomTime Ready = {IsWithPrevious ? Clock.LastIssue : Clock.Now,
                      Clock.Variance};
  for (const LatencyInput &In : Code.Graph.inputsOf(T.Op))
    Ready = Board.await(Ready, result(In.Op), In.ExtraCycles);
  const double Start =
      IsWithPrevious ? Clock.LastIssue : findStart(T.Op, Ready.MeanCycles);
  IssueCycle[T.Op] = Start;
  Clock.LastIssue = Start;
  Clock.Variance = Ready.VarianceCycles2;

  // Counted by iteration.
  const double Times = Node.IsOncePerPass ? Copies : 1;
  const Arrival Result = arrival(T.Op, Start, Times);
  setResult(T.Op, Result);
  Clock.PipeFree[Node.Pipe] =
      std::max(IsWithPrevious ? Clock.PipeFree[Node.Pipe] : 0,
               Start + Times * Node.TurnCycles);
  if (begins(T.Op)) {
    if (Node.Group.IsMember)
      groupsOf(Node).add(Result.Cycle + Node.GroupCycles);
    if (Node.Group.Commits)
      groupsOf(Node).commit(Node.Group.Kind);
  }
  if (Node.Group.WaitsForOldest)
    groupsOf(Node).dropOldest();
  if (Node.IsStore)
    Clock.AllStoresTaken = std::max(Clock.AllStoresTaken, Result.Cycle);
  Clock.Now = std::max(IsWithPrevious ? Clock.Now : 0,
                       Start + Times * Node.nextCycles());
  Clock.StalledUntil = Start + T.StallCycles;
  if (Options.MeanOfBlock)
    askUnits(T.Op, Times);
  if (Node.IsBarrier) {
    awaitKinds(T.Op);
    meetBlock();
    Clock.AtBarriers += Clock.Now - Start;
  }
}

/// Share of the executions of access \p Op in which the mean warp of the block
/// makes a request.
double WarpWalk::requestShareOfMean(uint32_t Op) const {
  const ExecutionProfile &Mean = *Options.MeanOfBlock;
  const uint32_t Access = Facts.Operations[Op].Access;
  const double Executions =
      Mean.Blocks[Facts.Operations[Op].Block].ExecutionsPerWarp;
  return Access != NoIndex && Executions > 0
             ? std::min(1.0, Mean.Accesses[Access].RequestsPerWarp / Executions)
             : 1;
}

/// Notes what \p Times of operation \p Op take of the units.
void WarpWalk::askUnits(uint32_t Op, double Times) {
  const LatencyNode &Node = Code.Graph[Op];
  const uint32_t Block = Facts.Operations[Op].Block;
  const double Own = executions(Block);
  if (Own > 0)
    Times *= std::min(
        1.0, Options.MeanOfBlock->Blocks[Block].ExecutionsPerWarp / Own);
  UnitDemand &Demand = Board.Demand;
  Demand.add(Resource::Issue, Times * Node.IssueCycles);
  if (Resource(Node.Pipe) != Resource::Issue)
    Demand.add(Resource(Node.Pipe), Times * Node.SharedTurnCycles);
  if (Node.DataCycles > 0) {
    const double Active = requestShareOfMean(Op);
    Demand.add(Resource::Shared, Times * Code.Schedulers *
                                     (Active * Node.DataCycles + 1 - Active));
  }
}

/// The warp comes to \p Barrier, the number of its operation or the number of
/// operations for the end of the block, and waits for slower kinds of warps.
void WarpWalk::awaitKinds(size_t Barrier) {
  if (!Options.Kinds)
    return;
  WarpClock &Clock = Board.Clock;
  const double Own = Clock.Now - Clock.MetAt;
  Clock.Now += Options.Kinds->meet(Barrier, Own) - Own;
}

/// The walk goes on when the last warp of the block is there.
void WarpWalk::awaitBlock() {
  WarpClock &Clock = Board.Clock;
  UnitDemand &Demand = Board.Demand;
  Clock.Now =
      Demand.Since + Demand.cyclesOfAll(Clock.Now, Code.warpsOfScheduler());
  Demand.endStretch(Clock.Now, Clock.Now, Code.warpsOfScheduler());
  Clock.HeldByBlock += Demand.MostHeld;
  Demand = {};
}

/// The warps of a block wait for the slowest of them.
void WarpWalk::meetBlock() {
  if (Options.MeanOfBlock)
    awaitBlock();
  Board.Clock.Now += Code.LastOfBlock * deviation();
  Board.Clock.SharedVariance = Board.Clock.Variance;
  Board.Demand.Since = Board.Demand.StretchSince = Board.Clock.Now;
  Board.Clock.MetAt = Board.Clock.Now;
}
