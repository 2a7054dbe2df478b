//===- WarpLatency.cpp - How long one warp takes alone --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpLatency.h"
#include "BlockSchedule.h"
#include "WarpTraffic.h"
#include "gpuocc/Kernel/MemoryOrder.h"
#include "gpuocc/Kernel/Regions.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static bool isJump(InstClass C) {
  return C == InstClass::Branch || C == InstClass::Exit ||
         C == InstClass::BranchIndexed;
}

static bool isControl(const Operation &Op) {
  return !Op.Emits.empty() && isJump(Op.Emits.front().Class);
}

/// True if \p Op jumps around a slow path of its own: division, reciprocal and
/// square root with full precision.
static bool hasSlowPath(const Operation &Op) {
  return !isControl(Op) &&
         any_of(Op.Emits, [](const Emission &E) { return isJump(E.Class); });
}

static bool isFence(const Operation &Op) {
  return hasSlowPath(Op) || any_of(Op.Emits, [](const Emission &E) {
           return E.Class == InstClass::Barrier ||
                  E.Class == InstClass::MemBar ||
                  E.Class == InstClass::CpAsyncWait ||
                  E.Class == InstClass::Call;
         });
}

/// The whole number of cycles that \p Measured, a mean with the code around it,
/// stands for; what is between two stays.
static double wholeCycles(double Measured) {
  double Whole = std::round(Measured);
  return std::abs(Measured - Whole) <= 0.05 * Whole ? Whole : Measured;
}

/// True if instructions of \p Pipe take as long as their unit lets them: who
/// uses the result waits at a scoreboard. The others take fixed times.
static bool isTracked(Resource Pipe) {
  switch (Pipe) {
  case Resource::Issue:
  case Resource::Fma:
  case Resource::Alu:
  case Resource::Fp16:
  case Resource::Fp64:
  case Resource::Tensor:
  case Resource::Uniform:
    return false;
  default:
    return true;
  }
}

/// True if warps go on while their instructions wait for \p Pipe in its queue.
static bool isQueued(Resource Pipe) {
  return Pipe == Resource::Lsu || Pipe == Resource::Xu;
}

/// Bounds the work for loops that are unrolled altogether.
static constexpr unsigned MaxCopies = 8;

WarpLatency::WarpLatency(const KernelFacts &Facts,
                         const ExecutionProfile &Profile,
                         unsigned WarpsPerBlock, Numbers &N)
    : Facts(Facts), Profile(Profile), WarpsPerBlock(WarpsPerBlock),
      LastOfBlock(expectedGreatest(WarpsPerBlock)), N(N),
      Nodes(Facts.Operations.size()), Order(Facts.Blocks.size()),
      PassOrder(Facts.Blocks.size()) {
  findExtraLatencies();
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
    CopiesOf.push_back(findCopies(B));
  for (uint32_t Op = 0; Op != Facts.Operations.size(); ++Op)
    addNode(Op);
  findNeighborhoods();
  for (uint32_t Op = 0; Op != Facts.Operations.size(); ++Op)
    addInputs(Op);
  FirstInput.push_back(Inputs.size());
  for (const Node &Of : Nodes) {
    UsedPipes[Of.Pipe] = true;
    SomeWaitForL2 |= Of.L2Share != 0;
    SomeWaitForDram |= Of.DramShare != 0;
  }
  FirstOfRegion.resize(Facts.Blocks.size());
  for (const Region &R : regionsOf(Facts)) {
    const uint32_t B = R.front();
    for (uint32_t Member : R)
      FirstOfRegion[Member] = B;
    Order[B] = schedule(R, 1);
    if (unsigned Copies = CopiesOf[B]; Copies > 1)
      PassOrder[B] = schedule(R, Copies);
  }
  orderRegions();
}

void WarpLatency::findExtraLatencies() {
  PerInstClass<bool> IsUsed = {};
  for (const Operation &Op : Facts.Operations)
    for (const Emission &E : Op.Emits)
      IsUsed[size_t(E.Class)] = true;
  constexpr size_t NumUses = 3;
  using OfUses = std::array<std::vector<double>, NumUses>;
  PerResource<PerResource<OfUses>> OfPipes;
  N.device().forEachPair([&](const Dependence &D, double Latency) {
    const double Own = N.latency(D.Producer);
    const Resource From = N.pipe(D.Producer), To = N.pipe(D.Consumer);
    // Such chains were of other values than those of the producer alone: lanes
    // that all match, atomics that all meet.
    if (Latency < Own / 2 || (isTracked(From) && Latency > 2 * Own))
      return;
    const double Extra = wholeCycles(Latency) - wholeCycles(Own);
    if (IsUsed[size_t(D.Producer)] && IsUsed[size_t(D.Consumer)])
      ExtraLatency[D] = Extra;
    OfPipes[size_t(From)][size_t(To)][size_t(D.Use)].push_back(Extra);
  });
  for (size_t From = 0; From != OfPipes.size(); ++From)
    for (size_t To = 0; To != OfPipes.size(); ++To)
      for (size_t Use = 0; Use != NumUses; ++Use) {
        std::vector<double> &Extras = OfPipes[From][To][Use];
        if (Extras.empty())
          continue;
        auto Middle = Extras.begin() + Extras.size() / 2;
        std::nth_element(Extras.begin(), Middle, Extras.end());
        ExtraBetweenPipes[{Resource(From), Resource(To), OperandUse(Use)}] =
            *Middle;
      }
}

double WarpLatency::accessLatency(const MemoryAccess &A, const AccessProfile &P,
                                  Node &Out) {
  switch (A.Space) {
  case MemorySpace::Shared: {
    if (isAtomic(A.Kind))
      return N.get(Quantity::AtomicSharedLatency, 60, "sm_70") +
             std::max(0.0, P.LanesPerAddress - 1) *
                 N.get(Quantity::AtomicSharedConflict, 2, "sm_70");
    double Narrow = N.get(Quantity::SharedLatency, 29, "sm_70");
    Quantity Wide = A.BytesPerLane >= 16 ? Quantity::SharedLatency128
                                         : Quantity::SharedLatency64;
    double Latency =
        A.BytesPerLane >= 8 ? N.device().get(Wide).valueOr(Narrow) : Narrow;
    double Conflicts =
        std::max(0.0, P.WavefrontsPerRequest -
                          std::max(1.0, P.IdealWavefrontsPerRequest));
    return Latency +
           Conflicts * N.get(Quantity::SharedConflictIncrement, 2, "sm_70");
  }
  case MemorySpace::Constant:
  case MemorySpace::Param:
    return N.get(Quantity::ConstantL1Latency, 27, "sm_70") +
           std::max(0.0, P.DistinctAddressesPerRequest - 1) *
               N.get(Quantity::ConstantReplay, 4, "sm_70");
  default:
    break;
  }
  double L2 = N.get(Quantity::L2HitLatency, 250, "sm_70");
  double Dram = N.get(Quantity::DramLatency, 600, "sm_70");
  if (isAtomic(A.Kind)) {
    Out.L2Share = 1;
    return N.get(Quantity::AtomicGlobalLatency, L2, "L2 hit") +
           std::max(0.0, P.DistinctAddressesPerRequest - 1) *
               N.get(Quantity::SectorIncrement, 2, "sm_70");
  }
  double ExtraLines = std::max(0.0, P.LinesPerRequest - 1);
  double L1 = N.get(Quantity::L1HitLatency, 33, "sm_70") +
              ExtraLines * N.get(Quantity::L1Increment, 1, "sm_70");
  // Our calibration measures the latency of one sector, and what further ones
  // in lines of their own add. The sectors of a line take as long (694 cycles
  // for a line of DRAM that load 0 extrapolates to, 669 for a sector), those of
  // other lines come at the same time. Published latencies are of coalesced
  // requests.
  Known<double> DramIncrement = N.device().get(Quantity::DramSectorIncrement);
  double SectorsPerLine =
      P.SectorsPerRequest / std::max(1.0, P.LinesPerRequest);
  double Extra =
      DramIncrement
          ? ExtraLines + std::max(0.0, SectorsPerLine - 1)
          : std::max(0.0, P.SectorsPerRequest - P.IdealSectorsPerRequest);
  double L2Increment = N.get(Quantity::SectorIncrement, 2, "sm_70");
  L2 += Extra * L2Increment;
  Dram += Extra * DramIncrement.valueOr(L2Increment);

  // A request waits for the last of its lines.
  double Waits = A.Kind == AccessKind::Store ? 0 : P.L1WaitFraction;
  double MissedLines = P.LinesPerRequest * (1 - P.L1HitFraction);
  double LinesPerWait = Waits > 0 ? std::max(1.0, MissedLines / Waits) : 1;
  double Found = P.L2HitFraction * (1 - P.L2WaitFraction);
  Found += (1 - Found) * P.FetchedAlongFraction;
  double OfL2 = std::pow(Found, LinesPerWait), OfDram = 1 - OfL2;
  Out.L2Share = Waits * OfL2;
  Out.DramShare = Waits * OfDram;
  // Lines near each other queue together.
  double Apart = LinesPerWait;
  if (Known<double> Near = N.device().get(Quantity::DramNeighborBytes);
      Near && P.LaneStrideBytes)
    Apart =
        std::clamp(std::abs(double(*P.LaneStrideBytes)) * P.ActiveLanes / *Near,
                   1.0, LinesPerWait);
  Out.SlowestLine = 1 + expectedGreatest(Apart);

  // Waits vary within a level and between L2 and DRAM. Loads that are awaited
  // together mostly wait together or not at all (at the begin of a sector), so
  // that the share of requests that wait scales the deviation.
  auto Square = [](double X) { return X * X; };
  auto Deviation = [&](Quantity Q) { return N.device().get(Q).valueOr(0); };
  double Wait = OfL2 * L2 + OfDram * Dram;
  Out.LatencyVariance =
      Square(Waits) *
      (OfL2 * (Square(L2 - Wait) +
               Square(Deviation(Quantity::L2LatencyDeviation))) +
       OfDram * (Square(Dram - Wait) +
                 Square(Deviation(Quantity::DramLatencyDeviation))));
  double OfItsOwn = N.device()
                        .get(Quantity::DramNeighborDeviation)
                        .valueOr(Deviation(Quantity::DramLatencyDeviation));
  Out.CommonVariance =
      Square(Waits) * OfDram *
      std::max(0.0, Square(Deviation(Quantity::DramLatencyDeviation)) -
                        Square(OfItsOwn));
  return (1 - Waits) * L1 + Waits * Wait;
}

void WarpLatency::addNode(uint32_t Index) {
  const Operation &Op = Facts.Operations[Index];
  Node &Out = Nodes[Index];
  double Executions = Profile.Blocks[Op.Block].ExecutionsPerWarp;
  for (const Emission &E : Op.Emits) {
    Out.IssueCycles += E.Count * N.issueSlots(E.Class);
    Out.GoesOnAfter += E.Count * std::min(1.0, N.issueSlots(E.Class));
    Resource Pipe = N.pipe(E.Class);
    double Busy = E.Count * N.issueInterval(E.Class);
    if (Busy >= Out.PipeCycles) {
      Out.PipeCycles = Busy;
      Out.SharedTurnCycles =
          std::min(Busy, E.Count * N.pipeCycles(E.Class) * N.schedulers());
      Out.Pipe = uint8_t(Pipe);
    }
    if (Op.Access == NoIndex)
      Out.Latency += E.OnPath * N.latency(E.Class);
    if (E.Class == InstClass::Barrier) {
      Out.IsBarrier = true;
      Out.Gap +=
          N.get(Quantity::BarrierBase, 20, "sm_70") +
          (WarpsPerBlock - 1) * N.get(Quantity::BarrierPerWarp, 1, "sm_70");
    } else if (E.Class == InstClass::Branch) {
      // Less than once where iterations share a branch.
      Out.Gap += E.Count * branchGap(Index);
    } else if (E.Class == InstClass::CpAsyncWait) {
      Out.WaitsForAll = true;
    } else if (E.Class == InstClass::Exit) {
      Out.IsExit = true;
    }
  }
  if (hasSlowPath(Op)) {
    Out.Latency += Out.Gap;
    Out.Gap = Out.Latency;
  }
  double OnPath = 0;
  for (const Emission &E : Op.Emits)
    OnPath += E.OnPath;
  Out.IsOncePerPass =
      CopiesOf[Op.Block] > 1 && Op.Access == NoIndex && OnPath < 0.75;
  if (!Op.Emits.empty()) {
    Out.First = Op.Emits.front().Class;
    Out.Last = Op.Emits.back().Class;
  }
  Out.TurnCycles = Out.PipeCycles;
  if (Op.Access == NoIndex)
    return;
  const AccessProfile &P = Profile.Accesses[Op.Access];
  const MemoryAccess &A = Facts.Accesses[Op.Access];
  double Active =
      Executions > 0 ? std::min(1.0, P.RequestsPerWarp / Executions) : 1;
  if (A.Space == MemorySpace::Shared) {
    Out.StageCycles =
        std::max(1.0, P.WavefrontsPerRequest) *
        N.get(Quantity::SharedWavefront, 1, "32 banks of 4 bytes");
    // The schedulers share that stage, and as long as warps of a block do the
    // same at the same time each waits for the wavefronts of all.
    double AtOnce = areInStep(Op.Block)
                        ? std::min<double>(N.schedulers(), WarpsPerBlock)
                        : 1;
    Out.TurnCycles = std::max(Out.TurnCycles, AtOnce * Out.StageCycles);
  }
  Out.IsStore = A.Kind == AccessKind::Store;
  if (Out.IsStore && A.Space != MemorySpace::Shared)
    Out.TurnCycles = std::max(Out.TurnCycles,
                              std::min<double>(N.schedulers(), WarpsPerBlock) *
                                  N.storeCycles(P.SectorsPerRequest));
  Out.Latency = Active * accessLatency(A, P, Out);
  Out.L2Share *= Active;
  Out.DramShare *= Active;
  Out.LatencyVariance *= Active * Active;
  Out.CommonVariance *= Active * Active;
}

/// Loads through one pointer at offsets within what DRAM brings together.
void WarpLatency::findNeighborhoods() {
  Known<double> Reach = N.device().get(Quantity::DramNeighborBytes);
  if (!Reach)
    return;
  std::vector<const MemoryAccess *> Loads;
  for (const MemoryAccess &A : Facts.Accesses)
    if (A.Kind == AccessKind::Load && A.Base.isValue() &&
        Nodes[A.Op].CommonVariance > 0)
      Loads.push_back(&A);
  llvm::sort(Loads, [](const MemoryAccess *A, const MemoryAccess *B) {
    return std::tie(A->Base.Index, A->OffsetBytes, A->Op) <
           std::tie(B->Base.Index, B->OffsetBytes, B->Op);
  });
  const MemoryAccess *First = nullptr;
  for (const MemoryAccess *A : Loads) {
    if (!First || First->Base.Index != A->Base.Index ||
        double(A->OffsetBytes - First->OffsetBytes) >= *Reach)
      First = A;
    Nodes[A->Op].Neighborhood = First->Op;
  }
}

/// Bytes of the code of loop \p L, as it is unrolled. Instructions take 16
/// since Volta.
double WarpLatency::codeBytes(uint32_t L) const {
  constexpr double BytesPerInstruction = 16;
  double Instructions = 0;
  for (uint32_t B : Facts.Loops[L].Blocks)
    Instructions += Facts.instructionsOf(B);
  return Instructions * std::max(1u, Facts.Loops[L].UnrolledBy) *
         BytesPerInstruction;
}

/// Warps that start together do the same at the same time, but for loops that
/// a scheduler cannot keep at hand: what fetches their code parts them, until
/// they meet at a barrier.
bool WarpLatency::areInStep(uint32_t Block) const {
  const uint32_t L = Facts.Blocks[Block].Loop;
  Known<double> Reach = N.device().get(Quantity::InstructionL0Bytes);
  if (L == NoIndex || !Reach)
    return true;
  return codeBytes(L) <= *Reach ||
         any_of(Facts.Loops[L].Blocks, [&](uint32_t B) {
           const BasicBlock &Of = Facts.Blocks[B];
           return any_of(
               ArrayRef(Facts.Operations).slice(Of.FirstOp, Of.NumOps),
               isFence);
         });
}

/// Cycles that an iteration of loop \p L waits for its code: in sets of the
/// instruction cache that have one line too many, each line is gone when its
/// turn comes again. What a line holds is issued meanwhile.
double WarpLatency::fetchWait(uint32_t L) const {
  constexpr double LineBytes = 128, InstructionsPerLine = 8;
  Known<double> Bytes = N.device().get(Quantity::InstructionL1Bytes);
  Known<double> Ways = N.device().get(Quantity::InstructionL1Ways);
  Known<double> Fetch = N.device().get(Quantity::InstructionFetch);
  if (!Bytes || !Ways || !Fetch)
    return 0;
  const double Lines = codeBytes(L) / LineBytes;
  const double TooMany = std::max(0.0, Lines - *Bytes / LineBytes);
  const double Missed = std::min(Lines, TooMany * (*Ways + 1));
  return Missed * std::max(0.0, *Fetch - InstructionsPerLine) /
         std::max(1u, Facts.Loops[L].UnrolledBy);
}

/// A jump that closes or leaves a loop costs the refill of the warp's
/// instructions; one around a side that lanes may part for also opens and
/// closes their convergence.
double WarpLatency::branchGap(uint32_t Op) {
  double Jump = N.get(Quantity::LoopBranch, 7, "H200");
  uint32_t Block = Facts.Operations[Op].Block;
  uint32_t B = Facts.Blocks[Block].Branch;
  if (B == NoIndex || Facts.Branches[B].Op != Op)
    return Jump;
  const BranchProfile &P = Profile.Branches[B];
  uint32_t Loop = Facts.Blocks[Block].Loop;
  bool StaysInLoop = Loop == NoIndex ||
                     all_of(Facts.Blocks[Block].Successors, [&](uint32_t S) {
                       return S != Facts.Loops[Loop].Header &&
                              is_contained(Facts.Loops[Loop].Blocks, S);
                     });
  if (!StaysInLoop)
    return Jump;
  double Taken = P.TakenLaneFraction;
  return Taken * N.get(Quantity::BranchTaken, 10, "sm_70") +
         (1 - Taken) * N.get(Quantity::BranchNotTaken, 10, "sm_70") +
         P.DivergentFraction * N.get(Quantity::BranchDivergent, 20, "sm_70");
}

double WarpLatency::extraLatency(InstClass Producer, InstClass Consumer,
                                 OperandUse Use) const {
  auto It = ExtraLatency.find({Producer, Consumer, Use});
  if (It != ExtraLatency.end())
    return It->second;
  // Results reach another pipe later than their own; where that was measured
  // for other instructions of the two pipes, it holds for these.
  Resource From = N.pipe(Producer), To = N.pipe(Consumer);
  auto Pipes = ExtraBetweenPipes.find({From, To, Use});
  return From == To || Pipes == ExtraBetweenPipes.end() ? 0 : Pipes->second;
}

double WarpLatency::extraLatency(const Operation &Op, const Operand &O) const {
  const Operation &Producer = Facts.Operations[O.Index];
  if (ExtraBetweenPipes.empty() || Op.Emits.empty() || Producer.Emits.empty())
    return 0;
  bool IsAddress = Op.Access != NoIndex && Facts.Accesses[Op.Access].Base == O;
  OperandUse Use = isControl(Op) ? OperandUse::Predicate
                   : IsAddress   ? OperandUse::Address
                                 : OperandUse::Value;
  return extraLatency(Producer.Emits.back().Class, Op.Emits.front().Class, Use);
}

void WarpLatency::addInputs(uint32_t Index) {
  FirstInput.push_back(Inputs.size());
  const Operation &Op = Facts.Operations[Index];
  for (const Operand &O : Op.Operands)
    if (O.isValue())
      Inputs.push_back({O.Index, extraLatency(Op, O)});
}

/// Loads of an unrolled body move up over its copies as long as there are
/// registers: each takes those of its data and of its address.
///
/// Source: machine code that ptxas 13.0 makes of loops that sum (sm_90): 8 to
/// 10 gathers before the first addition in 32 registers, 4 strided ones in 18;
/// in kernels that take all 255, loads of later copies stay where they are.
unsigned WarpLatency::findCopies(uint32_t Block) const {
  constexpr unsigned AddressRegisters = 2, OtherRegisters = 8,
                     AllRegisters = 250;
  const uint32_t L = Facts.Blocks[Block].Loop;
  if (Facts.isInIssueOrder() || L == NoIndex ||
      Facts.Loops[L].Header != Block || Facts.Loops[L].Blocks.size() != 1)
    return 1;
  const BasicBlock &B = Facts.Blocks[Block];
  unsigned Held = 0;
  for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
    if (uint32_t Access = Facts.Operations[I].Access;
        Access != NoIndex && Facts.Accesses[Access].Kind == AccessKind::Load)
      Held += (Facts.Accesses[Access].BytesPerLane + 3) / 4 + AddressRegisters;
  const unsigned Registers = Facts.Resources.RegistersPerThread;
  const unsigned Free = Registers >= AllRegisters
                            ? 0
                            : Registers - std::min(Registers, OtherRegisters);
  return std::max(1u, std::min({Facts.Loops[L].UnrolledBy, MaxCopies,
                                Held ? Free / Held : MaxCopies}));
}

/// Loads move up as far as their addresses and the stores before them allow.
/// Nothing moves across a slow path: ptxas schedules the code before and behind
/// its branch apart.
std::vector<WarpLatency::Turn> WarpLatency::schedule(ArrayRef<uint32_t> Blocks,
                                                     unsigned Copies) const {
  std::vector<uint32_t> Ops;
  DenseMap<uint32_t, uint32_t> PlaceOf;
  for (uint32_t Block : Blocks) {
    const BasicBlock &B = Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      PlaceOf[I] = uint32_t(Ops.size());
      Ops.push_back(I);
    }
  }
  const uint32_t Count = uint32_t(Ops.size());
  std::vector<Turn> Turns;
  if (Facts.isInIssueOrder()) {
    for (uint32_t Op : Ops)
      Turns.push_back({Op, 0});
    addStalls(PlaceOf, Copies, Turns);
    return Turns;
  }
  std::vector<CodeNode> Code(size_t(Count) * Copies);
  SmallVector<uint32_t, 16> SinceFence;
  std::optional<uint32_t> LastFence, LastSlowPath;
  auto OperationOf = [&](uint32_t Node) -> const Operation & {
    return Facts.Operations[Ops[Node % Count]];
  };
  auto IsOfBody = [&](const Operand &O) {
    return O.isValue() && PlaceOf.contains(O.Index);
  };
  for (uint32_t I = 0; I != Code.size(); ++I) {
    const uint32_t Copy = I / Count, Place = I % Count;
    const Operation &Op = OperationOf(I);
    const Node &Self = Nodes[Ops[Place]];
    CodeNode &Out = Code[I];
    if (Op.What == Semantics::Phi && Op.Block == Blocks.front()) {
      // Of a later copy: what the copy before it made.
      for (const Operand &O : Op.Operands)
        if (Copy != 0 && IsOfBody(O))
          Out.Inputs.push_back((Copy - 1) * Count + PlaceOf.at(O.Index));
    } else {
      for (const Input &In : inputsOf(Ops[Place]))
        if (auto From = PlaceOf.find(In.Op);
            From != PlaceOf.end() && From->second < Place)
          Out.Inputs.push_back(
              {Copy * Count + From->second, std::round(In.ExtraLatency)});
      // A side waits for the condition that it is predicated with.
      if (uint32_t Into = Facts.Blocks[Op.Block].PredicatedInto;
          Into != NoIndex && Op.Block != Blocks.front()) {
        const Operand &If = Facts.Branches[Facts.Blocks[Into].Branch].Condition;
        if (IsOfBody(If) && PlaceOf.at(If.Index) < Place)
          Out.Inputs.push_back(Copy * Count + PlaceOf.at(If.Index));
      }
    }
    if (Copies > 1 && Self.IsOncePerPass && Copy + 1 != Copies) {
      Out.IssueCycles = Out.PipeCycles = 0;
      continue;
    }
    // Which loads miss L2 an assembler does not know, and it counts in whole
    // cycles.
    Out.LatencyCycles =
        std::round(Op.Access == NoIndex
                       ? Self.Latency
                       : std::min(Self.Latency,
                                  N.get(Quantity::L2HitLatency, 250, "sm_70")));
    Out.IssueCycles = Self.GoesOnAfter;
    Out.PipeCycles = std::round(Self.PipeCycles);
    Out.Pipe = Self.Pipe;
    auto Follow = [&](uint32_t Before) { Out.After.push_back(Before); };
    if (LastSlowPath)
      Follow(*LastSlowPath);
    bool Fence = isFence(Op);
    if (hasSlowPath(Op))
      LastSlowPath = I;
    if (Fence || isControl(Op)) {
      for (uint32_t Before = LastFence.value_or(0); Before != I; ++Before)
        Follow(Before);
      if (Fence) {
        LastFence = I;
        SinceFence.clear();
      }
      continue;
    }
    if (Op.Access == NoIndex)
      continue;
    if (LastFence)
      Follow(*LastFence);
    const MemoryAccess &A = Facts.Accesses[Op.Access];
    for (uint32_t Before : SinceFence) {
      const MemoryAccess &Earlier = Facts.Accesses[OperationOf(Before).Access];
      // A pointer that moves from copy to copy reaches other bytes in each.
      if (Before / Count != Copy && Earlier.Base == A.Base && IsOfBody(A.Base))
        continue;
      if (mayConflict(Earlier, A))
        Follow(Before);
    }
    // Bounds the edges of very long blocks; older accesses are ordered
    // through newer ones in practice.
    if (SinceFence.size() == 64)
      SinceFence.erase(SinceFence.begin());
    SinceFence.push_back(I);
  }
  for (uint32_t I : issueOrder(Code))
    Turns.push_back({Ops[I % Count], I / Count});
  addStalls(PlaceOf, Copies, Turns);
  return Turns;
}

void WarpLatency::addStalls(const DenseMap<uint32_t, uint32_t> &PlaceOf,
                            unsigned Copies,
                            MutableArrayRef<Turn> Turns) const {
  DenseMap<std::pair<uint32_t, uint32_t>, double> ReadyAt;
  PerResource<double> PipeFree = {};
  double Now = 0;
  Turn *Before = nullptr;
  for (Turn &T : Turns) {
    const Operation &Op = Facts.Operations[T.Op];
    const Node &Of = Nodes[T.Op];
    double Start = Before ? Now + 1 : 0;
    const bool IsIssued =
        !Op.Emits.empty() && !(Of.IsOncePerPass && T.Copy + 1 != Copies);
    double Ready = 0;
    for (const Input &In : inputsOf(T.Op)) {
      if (!PlaceOf.contains(In.Op))
        continue;
      auto Made = ReadyAt.find({In.Op, T.Copy});
      if (Made != ReadyAt.end())
        Ready = std::max(Ready, Made->second + std::round(In.ExtraLatency));
    }
    if (!IsIssued) {
      ReadyAt[{T.Op, T.Copy}] = Ready;
      continue;
    }
    Start = std::max({Start, Ready, PipeFree[Of.Pipe]});
    PipeFree[Of.Pipe] = Start + std::round(Of.SharedTurnCycles);
    if (Before)
      Before->StallCycles = Start - Now;
    Now = Start;
    ReadyAt[{T.Op, T.Copy}] =
        isTracked(Resource(Of.Pipe)) ? 0 : Start + std::round(Of.Latency);
    Before = &T;
  }
}

/// Reverse post-order of the blocks, then each block (or the loop that holds
/// it) listed once in its region.
void WarpLatency::orderRegions() {
  std::vector<uint8_t> Seen(Facts.Blocks.size());
  std::vector<uint32_t> PostOrder;
  std::vector<std::pair<uint32_t, unsigned>> Stack;
  if (!Facts.Blocks.empty()) {
    Stack.push_back({0, 0});
    Seen[0] = 1;
  }
  while (!Stack.empty()) {
    auto &[Block, Next] = Stack.back();
    const auto &Successors = Facts.Blocks[Block].Successors;
    if (Next == Successors.size()) {
      PostOrder.push_back(Block);
      Stack.pop_back();
      continue;
    }
    uint32_t S = Successors[Next++];
    if (!Seen[S]) {
      Seen[S] = 1;
      Stack.push_back({S, 0});
    }
  }
  Regions.resize(Facts.Loops.size() + 1);
  std::vector<uint8_t> Placed(Facts.Loops.size());
  for (uint32_t Block : reverse(PostOrder)) {
    uint32_t Child = Block;
    uint32_t L = Facts.Blocks[Block].Loop;
    while (true) {
      Regions[L == NoIndex ? 0 : L + 1].push_back(Child);
      if (L == NoIndex || Placed[L])
        break;
      Placed[L] = 1;
      Child = Facts.Blocks.size() + L;
      L = Facts.Loops[L].Parent;
    }
  }
}

/// When the result of an operation can be used. The variance is of the time
/// since the operation issued, when the clock had the variance BeforeIssue.
struct WarpLatency::Arrival {
  double Cycle = 0, Variance = 0, BeforeIssue = 0;
  /// Of the variance, what loads of a neighbourhood have in common, and when
  /// this one issued.
  double CommonVariance = 0, IssueCycle = 0;
  uint32_t Neighborhood = NoIndex;
  unsigned Copy = 0;

  /// Asked for the same place at the same time, as far as DRAM tells.
  bool comesWith(const Arrival &Other) const {
    double Apart = IssueCycle - Other.IssueCycle;
    return Neighborhood != NoIndex && Neighborhood == Other.Neighborhood &&
           Copy == Other.Copy && Apart * Apart <= CommonVariance;
  }
};

/// The scoreboard of one warp.
struct WarpLatency::State {
  double Now = 0;
  /// Variance of Now, and what of it all warps of the block share since they
  /// met at a barrier.
  double Variance = 0, SharedVariance = 0;
  /// Cycle at which the result of each operation can be used.
  std::vector<Arrival> Results;
  PerResource<double> PipeFree = {};
  double AllLoadsDone = 0, AllStoresTaken = 0;
  /// The end of the stall behind the last instruction.
  double StalledUntil = 0;
  /// The load that was awaited last.
  Arrival LastAwaited;
  /// Waits for memory that were the first after a branch back.
  double WaitAfterBack = 0;
  bool BranchedBack = false;
};

class WarpLatency::Walk {
public:
  Walk(const WarpLatency &Of, const MemoryDelay &Delay,
       std::vector<LatencyStep> *Path,
       std::optional<Resource> Instant = std::nullopt)
      : Of(Of), Facts(Of.Facts), Delay(Delay), Path(Path), Instant(Instant) {
    S.Results.resize(Facts.Operations.size());
    BegunAt.resize(Facts.Blocks.size());
    FirstCopies.resize(Facts.Blocks.size());
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      if (unsigned Copies = Of.CopiesOf[B]; Copies > 1) {
        FirstCopies[B] = S.Results.size();
        S.Results.resize(S.Results.size() +
                         size_t(Copies - 1) * Facts.Blocks[B].NumOps);
      }
  }

  double run() {
    walkRegion(0, 1);
    return S.Now;
  }

  /// run(), with loads outside of loops that all take their mean latency.
  void runWithVariedLoops() {
    OnlyLoopsVary = true;
    run();
  }

  OnePass runOnce() {
    OncePerLoop = true;
    Once.IssueCycle.assign(Facts.Operations.size(), -1);
    Once.Cycles = run();
    return std::move(Once);
  }

  double waitAfterBack() const { return S.WaitAfterBack; }

  /// Standard deviation of the exits of the warps of a block.
  double deviation() const {
    return std::sqrt(std::max(0.0, S.Variance - S.SharedVariance));
  }

private:
  const WarpLatency &Of;
  const KernelFacts &Facts;
  const MemoryDelay &Delay;
  std::vector<LatencyStep> *Path;
  /// A pipe that is taken to be infinitely fast.
  std::optional<Resource> Instant;
  bool OncePerLoop = false, OnlyLoopsVary = false;
  OnePass Once;
  State S;
  /// When each block was last walked.
  std::vector<double> BegunAt;
  /// Where the results of the copies of each block lie, but the last one's.
  std::vector<size_t> FirstCopies;
  /// What is walked: one copy of the Copies of a body.
  uint32_t InBlock = NoIndex;
  unsigned Copy = 0, Copies = 1;

  /// The result of operation \p Op as the copy that is walked sees it.
  Arrival &result(uint32_t Op) { return S.Results[slot(Op, Copy)]; }
  const Arrival &result(uint32_t Op) const { return S.Results[slot(Op, Copy)]; }
  size_t slot(uint32_t Op, unsigned OfCopy) const {
    if (OfCopy + 1 == Copies)
      return Op;
    const BasicBlock &B = Facts.Blocks[InBlock];
    if (Op < B.FirstOp || Op >= B.FirstOp + B.NumOps)
      return Op;
    return FirstCopies[InBlock] + size_t(OfCopy) * B.NumOps + Op - B.FirstOp;
  }

  double executions(uint32_t Block) const {
    return Of.Profile.Blocks[Block].ExecutionsPerWarp;
  }

  /// Walks the children of a region that is entered \p Entries times per warp
  /// (iterations, for a loop).
  void walkRegion(uint32_t Region, double Entries) {
    for (uint32_t Child : Of.Regions[Region]) {
      if (Child < Facts.Blocks.size()) {
        BegunAt[Child] = S.Now;
        walkPartly(Entries > 0 ? executions(Child) / Entries : 0,
                   [&] { walkBlock(Child); });
      } else {
        walkLoop(Child - Facts.Blocks.size(), Entries);
      }
    }
  }

  /// Something that happens with probability \p Fraction: the clock advances
  /// by that share.
  template <typename Function> void walkPartly(double Fraction, Function Do) {
    if (Fraction < 1e-6)
      return;
    double Start = S.Now, StartWait = S.WaitAfterBack;
    double StartVariance = S.Variance;
    double LoadsDone = S.AllLoadsDone, StoresTaken = S.AllStoresTaken;
    double StalledUntil = S.StalledUntil;
    const PerResource<double> PipeFree = S.PipeFree;
    size_t FirstStep = numSteps();
    Do();
    if (Fraction < 1) {
      auto Part = [&](double After) {
        return Start + Fraction * (After - Start);
      };
      S.Now = Part(S.Now);
      S.AllLoadsDone = std::max(LoadsDone, Part(S.AllLoadsDone));
      S.AllStoresTaken = std::max(StoresTaken, Part(S.AllStoresTaken));
      S.StalledUntil = std::max(StalledUntil, Part(S.StalledUntil));
      for (size_t R = 0; R != PipeFree.size(); ++R)
        S.PipeFree[R] = std::max(PipeFree[R], Part(S.PipeFree[R]));
      S.Variance = StartVariance + Fraction * (S.Variance - StartVariance);
      S.SharedVariance = std::min(S.SharedVariance, S.Variance);
      S.WaitAfterBack = StartWait + Fraction * (S.WaitAfterBack - StartWait);
      scaleSteps(FirstStep, Fraction);
    }
  }

  size_t numSteps() const { return Path ? Path->size() : 0; }

  /// Steps from \p First on happen \p Factor times as often as they were
  /// walked.
  void scaleSteps(size_t First, double Factor) {
    for (size_t I = First; I < numSteps(); ++I)
      (*Path)[I].CyclesTotal *= Factor;
  }

  void walkLoop(uint32_t L, double ParentEntries) {
    double Iterations = executions(Facts.Loops[L].Header);
    double Trips = std::max(1.0, Of.Profile.Loops[L].TripCount);
    double Entries = Iterations / Trips;
    if (ParentEntries <= 0 || Entries <= 0)
      return;
    walkPartly(std::min(1.0, Entries / ParentEntries), [&] {
      // Three iterations reach the steady period of every recurrence of
      // distance one.
      constexpr unsigned Walked = 3;
      const uint32_t Body = Facts.Loops[L].Header;
      const unsigned Copies = OncePerLoop ? 1 : Of.CopiesOf[Body];
      const bool InPasses = Copies > 1 && Trips >= Copies;
      const double Fetch = Of.fetchWait(L) * (InPasses ? Copies : 1);
      // Iterations, or passes of several.
      double Left = (OncePerLoop ? 1 : Trips) / (InPasses ? Copies : 1);
      double Period = 0, WaitOfPeriod = 0;
      double VarianceOfPeriod = 0, SharedOfPeriod = 0;
      size_t LastIteration = numSteps();
      for (unsigned I = 0; I != Walked && Left > 0; ++I) {
        double Start = S.Now, StartWait = S.WaitAfterBack;
        double StartVariance = S.Variance, StartShared = S.SharedVariance;
        LastIteration = numSteps();
        walkPartly(std::min(1.0, Left), [&] {
          if (InPasses)
            walkPass(Body, Copies);
          else
            walkRegion(L + 1, Iterations);
          S.Now += Fetch;
        });
        Period = S.Now - Start;
        WaitOfPeriod = S.WaitAfterBack - StartWait;
        VarianceOfPeriod = S.Variance - StartVariance;
        SharedOfPeriod = S.SharedVariance - StartShared;
        S.BranchedBack = true;
        Left -= 1;
      }
      if (Left > 0) {
        shift(Left * Period, Left * VarianceOfPeriod, Left * SharedOfPeriod);
        S.WaitAfterBack += Left * WaitOfPeriod;
        scaleSteps(LastIteration, 1 + Left);
      }
    });
  }

  /// Lets \p Cycles pass during which everything repeats.
  void shift(double Cycles, double Variance, double SharedVariance) {
    for (Arrival &A : S.Results)
      if (A.Cycle > S.Now) {
        A.Cycle += Cycles;
        A.IssueCycle += Cycles;
        A.BeforeIssue += Variance;
      }
    for (double &Free : S.PipeFree)
      if (Free > S.Now)
        Free += Cycles;
    for (double *Done : {&S.AllLoadsDone, &S.AllStoresTaken, &S.StalledUntil})
      if (*Done > S.Now)
        *Done += Cycles;
    S.Now += Cycles;
    S.Variance += Variance;
    S.SharedVariance += SharedVariance;
  }

  /// The operand of \p Op that arrives last. Inputs of phis from blocks not
  /// walked yet have no time; they are at 0.
  Arrival lastOperand(uint32_t Op) const {
    Arrival Last;
    for (const Input &In : Of.inputsOf(Op))
      if (result(In.Op).Cycle > Last.Cycle)
        Last = result(In.Op);
    return Last;
  }

  /// The operand of the phi \p Op of \p Block that arrives last. What a side
  /// makes that runs in a part of the executions is awaited in that part.
  Arrival lastOfSides(uint32_t Block, uint32_t Op) const {
    const uint32_t Loop = Facts.Blocks[Block].Loop;
    if (Loop != NoIndex && Facts.Loops[Loop].Header == Block)
      return lastOperand(Op);
    Arrival Last;
    for (const Input &In : Of.inputsOf(Op)) {
      const uint32_t Side = Facts.Operations[In.Op].Block;
      const double Part = executions(Side) / executions(Block);
      Arrival Then = result(In.Op);
      if (Part < 1 && Then.Cycle > BegunAt[Side])
        Then.Cycle = BegunAt[Side] + Part * (Then.Cycle - BegunAt[Side]);
      if (Then.Cycle > Last.Cycle)
        Last = Then;
    }
    return Last;
  }

  void walkBlock(uint32_t Block) {
    // What is scheduled with another block was walked with it.
    if (Of.FirstOfRegion[Block] != Block)
      return;
    // Phis read the values of the edge, all at once.
    const BasicBlock &B = Facts.Blocks[Block];
    SmallVector<std::pair<uint32_t, Arrival>, 8> Phis;
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
      if (Facts.Operations[I].What == Semantics::Phi)
        Phis.push_back({I, lastOfSides(Block, I)});
    for (auto &[Op, Ready] : Phis)
      S.Results[Op] = Ready;
    for (Turn T : Of.Order[Block])
      if (Facts.Operations[T.Op].What != Semantics::Phi)
        issue(T);
      else if (Facts.Operations[T.Op].Block != Block)
        S.Results[T.Op] = lastOperand(T.Op);
  }

  /// One pass through an unrolled loop: the copies of its body \p Block.
  void walkPass(uint32_t Block, unsigned NumCopies) {
    InBlock = Block;
    Copies = NumCopies;
    auto Enter = [&](uint32_t Phi, unsigned OfCopy) {
      // The first copy continues where the last one of the pass before ended.
      Copy = OfCopy == 0 ? NumCopies - 1 : OfCopy - 1;
      Arrival Ready = lastOperand(Phi);
      Copy = OfCopy;
      return Ready;
    };
    const BasicBlock &B = Facts.Blocks[Block];
    SmallVector<std::pair<uint32_t, Arrival>, 8> Phis;
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
      if (Facts.Operations[I].What == Semantics::Phi)
        Phis.push_back({I, Enter(I, 0)});
    for (auto &[Op, Ready] : Phis)
      result(Op) = Ready;
    for (Turn T : Of.PassOrder[Block]) {
      Copy = T.Copy;
      if (Facts.Operations[T.Op].What != Semantics::Phi)
        issue(T);
      else if (T.Copy != 0)
        result(T.Op) = Enter(T.Op, T.Copy);
    }
    InBlock = NoIndex;
    Copy = 0;
    Copies = 1;
  }

  /// True if \p Op can start at \p Start and not now because of what L2 or
  /// DRAM has yet to deliver.
  bool waitsForMemory(uint32_t Op, double Start, double OperandsReady) const {
    return Start > S.Now + 1 && any_of(Of.inputsOf(Op), [&](const Input &In) {
             return Of.Nodes[In.Op].L2Share + Of.Nodes[In.Op].DramShare > 0 &&
                    result(In.Op).Cycle + In.ExtraLatency + 1 >= OperandsReady;
           });
  }

  /// Now or, if later, when the operands of \p Op are there. Both vary; what
  /// they have varied by together before the operand issued counts once.
  RandomTime awaitOperands(uint32_t Op) {
    RandomTime Start{S.Now, S.Variance};
    for (const Input &In : Of.inputsOf(Op)) {
      Arrival &A = result(In.Op);
      double Common = std::min(A.BeforeIssue, Start.VarianceCycles2);
      double Own = A.Variance;
      if (A.comesWith(S.LastAwaited)) {
        double InBoth =
            std::min(A.CommonVariance, Start.VarianceCycles2 - Common);
        Common += InBoth;
        Own -= InBoth;
      }
      if (A.CommonVariance > 0)
        S.LastAwaited = A;
      RandomTime Ready{A.Cycle + In.ExtraLatency, Own};
      RandomTime Later =
          laterOf({Start.MeanCycles, Start.VarianceCycles2 - Common}, Ready);
      Start = {Later.MeanCycles, Common + Later.VarianceCycles2};
      // Whoever uses it next finds it there.
      A.Variance = A.CommonVariance = 0;
      A.BeforeIssue = Start.VarianceCycles2;
    }
    return Start;
  }

  void issue(const Turn &T) {
    const uint32_t Index = T.Op;
    const Operation &Op = Facts.Operations[Index];
    const Node &Node = Of.Nodes[Index];
    if (Op.Emits.empty() || (Instant && Node.Pipe == uint8_t(*Instant)) ||
        (Node.IsOncePerPass && Copy + 1 != Copies)) {
      result(Index) = lastOperand(Index);
      return;
    }
    // Counted by iteration.
    const double Times = Node.IsOncePerPass ? Copies : 1;
    double OperandsReady = lastOperand(Index).Cycle;
    RandomTime Awaited = awaitOperands(Index);
    double OperandsKnown = std::max(Awaited.MeanCycles, S.StalledUntil);
    double Start = std::max(OperandsKnown, S.PipeFree[Node.Pipe]);
    if (Node.WaitsForAll)
      Start = std::max(Start, S.AllLoadsDone);
    if (Node.IsExit)
      Start = std::max(Start, S.AllStoresTaken);
    if (S.BranchedBack && waitsForMemory(Index, Start, OperandsReady)) {
      S.WaitAfterBack += Start - S.Now;
      S.BranchedBack = false;
    }
    if (Path && Start > S.Now + 1)
      Path->push_back({Index, Start, Start - S.Now,
                       OperandsKnown >= Start ? "waits for its operands"
                                              : "waits for its pipe"});
    if (OncePerLoop)
      Once.IssueCycle[Index] = Start;
    S.Variance = Awaited.VarianceCycles2;
    double Load = Node.L2Share * Delay.L2 + Node.DramShare * Delay.Dram;
    double Latency =
        Times * Node.Latency + (Load > 0 ? Load * Node.SlowestLine : Load);
    // Without memory nothing varies; with load, queueing does as much as it
    // delays.
    bool Varies = Delay.Dram >= 0 &&
                  (!OnlyLoopsVary || Facts.Blocks[Op.Block].Loop != NoIndex);
    double Variance = Varies ? Node.LatencyVariance + Load * Load : 0;
    result(Index) = {Start + Latency,
                     Variance,
                     S.Variance,
                     Varies ? Node.CommonVariance : 0,
                     Start,
                     Node.Neighborhood,
                     Copy};
    S.PipeFree[Node.Pipe] = Start + Times * Node.TurnCycles;
    if (Op.Access != NoIndex)
      S.AllLoadsDone = std::max(S.AllLoadsDone, Start + Latency);
    if (Node.IsStore)
      S.AllStoresTaken = std::max(S.AllStoresTaken, Start + Latency);
    S.Now = Start + Times * std::max(Node.GoesOnAfter, Node.Gap);
    S.StalledUntil = Start + T.StallCycles;
    if (Node.IsBarrier)
      meet();
  }

  /// The warps of a block wait for the slowest of them.
  void meet() {
    S.Now += Of.LastOfBlock * deviation();
    S.SharedVariance = S.Variance;
  }
};

double WarpLatency::cycles(const MemoryDelay &Delay) const {
  return Walk(*this, Delay, nullptr).run();
}

WarpLatency::OnePass WarpLatency::onePass() const {
  MemoryDelay NoLoad;
  return Walk(*this, NoLoad, nullptr).runOnce();
}

MemoryDelay WarpLatency::noMemory() const {
  return {-N.get(Quantity::L2HitLatency, 250, "sm_70"),
          -N.get(Quantity::DramLatency, 600, "sm_70")};
}

double WarpLatency::spreadOfBlock() const {
  MemoryDelay NoLoad;
  Walk W(*this, NoLoad, nullptr);
  W.runWithVariedLoops();
  return LastOfBlock * W.deviation();
}

WarpLatency::Unloaded WarpLatency::unloaded() const {
  MemoryDelay NoLoad;
  Walk W(*this, NoLoad, nullptr);
  double Cycles = W.run();
  return {Cycles, W.waitAfterBack()};
}

double WarpLatency::cyclesOnSm(std::optional<Resource> Instant) const {
  MemoryDelay Delay = noMemory();
  return Walk(*this, Delay, nullptr, Instant).run();
}

/// True if \p Block is a loop in which nothing comes from L2 or DRAM and no
/// warp waits for another.
bool WarpLatency::isSteady(uint32_t Block) const {
  const BasicBlock &B = Facts.Blocks[Block];
  if (B.Loop == NoIndex || Facts.Loops[B.Loop].Header != Block ||
      Facts.Loops[B.Loop].Blocks.size() != 1)
    return false;
  for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
    if (Nodes[I].L2Share + Nodes[I].DramShare > 0 || Nodes[I].IsBarrier ||
        Nodes[I].WaitsForAll)
      return false;
  return true;
}

std::optional<WarpLatency::SteadyLoop> WarpLatency::steadyLoop() const {
  auto IssuedBy = [&](uint32_t Block) {
    const BasicBlock &B = Facts.Blocks[Block];
    double Cycles = 0;
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
      Cycles += Nodes[I].IssueCycles;
    return Cycles * Profile.Blocks[Block].ExecutionsPerWarp;
  };
  uint32_t Most = NoIndex;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
    if (isSteady(B) && IssuedBy(B) > (Most == NoIndex ? 0 : IssuedBy(Most)))
      Most = B;
  if (Most == NoIndex)
    return std::nullopt;

  const BasicBlock &B = Facts.Blocks[Most];
  const unsigned Copies = CopiesOf[Most];
  ArrayRef<Turn> Turns = Copies > 1 ? PassOrder[Most] : Order[Most];
  auto PlaceOf = [&](uint32_t Op, uint32_t Copy) {
    return size_t(Copy) * B.NumOps + Op - B.FirstOp;
  };
  // Phis come first: those of the first copy take what the last one made.
  std::vector<uint32_t> IndexOf(size_t(Copies) * B.NumOps, NoIndex);
  std::vector<Turn> Sequence;
  for (bool Phis : {true, false})
    for (Turn T : Turns)
      if ((T.Copy == 0 && Facts.Operations[T.Op].What == Semantics::Phi) ==
          Phis) {
        IndexOf[PlaceOf(T.Op, T.Copy)] = Sequence.size();
        Sequence.push_back(T);
      }

  SteadyLoop Loop;
  Loop.Schedulers = unsigned(N.schedulers());
  Loop.AreInStep = areInStep(Most);
  Loop.PassesPerWarp = Profile.Blocks[Most].ExecutionsPerWarp / Copies;
  for (Turn T : Sequence) {
    const Operation &Op = Facts.Operations[T.Op];
    const Node &Of = Nodes[T.Op];
    const bool IsLast = T.Copy + 1 == Copies;
    const double Times = Of.IsOncePerPass ? Copies : 1;
    LoopInstruction Out;
    Out.IsIssued = !Op.Emits.empty() && (!Of.IsOncePerPass || IsLast);
    if (Out.IsIssued) {
      Out.IssueCycles = Times * Of.IssueCycles;
      Out.PipeCycles = Times * Of.SharedTurnCycles;
      Out.Pipe = Of.Pipe;
      Out.StageCycles = Of.StageCycles;
      Out.IsQueued = isQueued(Resource(Of.Pipe));
      Out.NextCycles =
          std::max(T.StallCycles, Times * std::max(Of.GoesOnAfter, Of.Gap));
      Out.LatencyCycles = Times * Of.Latency;
      Loop.IssueCycles += Out.IssueCycles;
      Loop.PipeCycles[Of.Pipe] +=
          std::max(Out.PipeCycles, N.schedulers() * Out.StageCycles);
      for (double *Cycles : {&Out.PipeCycles, &Out.StageCycles, &Out.NextCycles,
                             &Out.LatencyCycles})
        *Cycles = wholeCycles(*Cycles);
    }
    const bool IsPhi = Op.What == Semantics::Phi;
    for (const Input &In : inputsOf(T.Op)) {
      // What is made outside of the loop is there.
      if (In.Op < B.FirstOp || In.Op >= B.FirstOp + B.NumOps)
        continue;
      uint32_t From = !IsPhi ? T.Copy : T.Copy == 0 ? Copies - 1 : T.Copy - 1;
      Out.Inputs.push_back(
          {IndexOf[PlaceOf(In.Op, From)], std::round(In.ExtraLatency)});
    }
    Loop.Body.push_back(std::move(Out));
  }
  return Loop;
}

std::vector<LatencyStep> WarpLatency::criticalPath() const {
  std::vector<LatencyStep> Path;
  Walk(*this, MemoryDelay(), &Path).run();
  return Path;
}
