//===- Saturation.cpp - Throughput over occupancy -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Throughput/Saturation.h"
#include "Numbers/PipeKinds.h"
#include "gpuocc/Model/Worksheet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

using namespace gpuocc;
using namespace llvm;

double LoadedLatency::sampleDelay(unsigned I) {
  return I ? 50.0 * (1 << (2 * (I - 1))) : 0; // 0, 50, 200, ... 51200
}

/// What a scheduler of any GPU since Volta holds.
static constexpr unsigned SimulatedWarpsPerScheduler = 16;

/// Pipes whose users form a phase of their own; the rest is what the schedulers
/// issue to the arithmetic pipes. Branches are one: warps that wait for the
/// branch back of a short loop mix, so that those that issue meet by chance (an
/// H200 loses a fourth at 7 warps per scheduler in a loop of 4 instructions).
static constexpr Resource PhasePipes[] = {Resource::Fp16, Resource::Fp64,
                                          Resource::Xu,   Resource::Tensor,
                                          Resource::Lsu,  Resource::Cbu};

LoadedLatency::LoadedLatency(const WarpLatency &Warp,
                             const ExecutionProfile &Mean)
    : OnSm(Warp.cyclesOnSm()), Block(Warp.wholeBlock(Mean)),
      OfL2(Warp, &MemoryDelay::L2, Warp.waitsForL2()),
      OfDram(Warp, &MemoryDelay::Dram, Warp.waitsForDram()) {
  const WarpLatency::Unloaded Alone = Warp.unloaded();
  Unloaded = Alone.Cycles;
  AtBarriers = Alone.BarrierCycles;
  for (Resource Pipe : PhasePipes)
    if (Warp.uses(Pipe))
      Waits[size_t(Pipe)] = std::max(0.0, OnSm - Warp.cyclesOnSm(Pipe));
  findSteadyPart(Warp);
  if (Unloaded > OnSm)
    AfterBranchesBack =
        std::min(1.0, Alone.WaitsAfterBranchesBack / (Unloaded - OnSm));
}

void LoadedLatency::findSteadyPart(const WarpLatency &Warp) {
  std::optional<SteadyLoop> Loop = Warp.steadyLoop();
  if (!Loop)
    return;
  double Least =
      std::max(Loop->IssueCycles, *llvm::max_element(Loop->PipeCycles));
  auto CyclesFor = [&](unsigned Warps) {
    std::vector<double> Cycles = Warp.cyclesBetweenPasses(*Loop, Warps, Least);
    for (double &C : Cycles)
      C *= Loop->PassesPerWarp;
    return Cycles;
  };
  // Heuristic: what takes less of the warp's time than that is one of the
  // phases between which chance decides.
  constexpr double MostOfTheTime = 0.75;
  std::vector<double> Alone = CyclesFor(1);
  if (Alone.empty() || Alone.front() < MostOfTheTime * OnSm)
    return;
  Steady.emplace();
  Steady->CyclesPerWarp = CyclesFor(SimulatedWarpsPerScheduler);
  Steady->IssueCycles = Loop->IssueCycles * Loop->PassesPerWarp;
  for (size_t R = 0; R != Loop->PipeCycles.size(); ++R)
    Steady->PipeCycles[R] = Loop->PipeCycles[R] * Loop->PassesPerWarp;
}

double LoadedLatency::Samples::at(unsigned I, double Unloaded) const {
  if (!Taken[I]) {
    MemoryDelay Delay;
    Delay.*Which = sampleDelay(I);
    Taken[I] = Warp.cycles(Delay) - Unloaded;
  }
  return *Taken[I];
}

double LoadedLatency::Samples::interpolate(double Delay,
                                           double Unloaded) const {
  unsigned I = 1;
  while (I + 1 < NumSamples && sampleDelay(I) < Delay)
    ++I;
  const double X0 = sampleDelay(I - 1), X1 = sampleDelay(I);
  const double Low = at(I - 1, Unloaded);
  if (Delay == X0)
    return Low;
  const double Slope = (at(I, Unloaded) - Low) / (X1 - X0);
  return Low + Slope * (Delay - X0);
}

double LoadedLatency::cycles(const MemoryDelay &Delay) const {
  return Unloaded + OfL2.interpolate(Delay.L2, Unloaded) +
         OfDram.interpolate(Delay.Dram, Unloaded);
}

/// Most warps of a scheduler that needed occupancy is looked for in; four times
/// what any GPU holds.
static constexpr unsigned MaxWarpsPerScheduler = 64;

/// The phase to whose resource \p R belongs; Issue for what is issued to the
/// arithmetic pipes, nothing for what the chip shares.
static std::optional<Resource> phaseOf(Resource R) {
  switch (R) {
  case Resource::Issue:
  case Resource::Fma:
  case Resource::Alu:
  case Resource::Adu:
  case Resource::Uniform:
    return Resource::Issue;
  case Resource::Fp16:
  case Resource::Fp64:
  case Resource::Xu:
  case Resource::Tensor:
  case Resource::Cbu:
    return R;
  case Resource::Lsu:
  case Resource::Shared:
  case Resource::L1:
    return Resource::Lsu;
  case Resource::Cluster:
  case Resource::L2:
  case Resource::Dram:
  case Resource::Host:
  case Resource::Barrier:
  case Resource::Latency:
  case Resource::Launch:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Scheduler cycles per warp that the busiest resource of the issue phase
/// takes.
static double issuePhaseBusy(const Prediction &P, double Schedulers) {
  double Busy = 0;
  for (const Bound &B : P.Bounds)
    if (phaseOf(B.What) == Resource::Issue)
      Busy = std::max(Busy, Schedulers * B.CyclesPerWarp);
  return Busy;
}

/// Issue slots of a scheduler that a warp takes.
static double issueBusy(ArrayRef<Bound> Bounds, double Schedulers) {
  for (const Bound &B : Bounds)
    if (B.What == Resource::Issue)
      return Schedulers * B.CyclesPerWarp;
  return 0;
}

/// Products of warps keep the scheduler from other instructions for most of
/// their time: the wait for tensor cores is one with that for the scheduler.
static bool holdsScheduler(ArrayRef<ClassCount> Mix, Numbers &N) {
  return any_of(Mix, [&](const ClassCount &C) {
    return defaultPipe(C.Class) == Resource::Tensor &&
           N.issueSlots(C.Class) > 1;
  });
}

/// Makes \p From a part of \p Into, one of which goes on at a time.
static void merge(WarpPhase &From, WarpPhase &Into) {
  Into.LatencyCycles += From.LatencyCycles;
  Into.BusyCycles = std::max(Into.BusyCycles, From.BusyCycles);
  From = WarpPhase();
}

/// The phases of a warp, as one of \p Schedulers sees them.
static Saturation::WarpPhases warpPhases(const LoadedLatency &Latency,
                                         const Prediction &P, double Schedulers,
                                         Numbers &N) {
  Saturation::WarpPhases Out;
  PerResource<WarpPhase> &Phases = Out.OfUnit;
  double Waits = 0;
  for (Resource Pipe : PhasePipes)
    Waits += Latency.waitsFor(Pipe);
  // Waits that overlap each other add up to more than the whole.
  double Scale = Waits > Latency.onSm() ? Latency.onSm() / Waits : 1;
  for (Resource Pipe : PhasePipes)
    Phases[size_t(Pipe)].LatencyCycles = Scale * Latency.waitsFor(Pipe);
  Phases[size_t(Resource::Issue)].LatencyCycles =
      Latency.onSm() - Scale * Waits;
  for (const Bound &B : P.Bounds)
    if (std::optional<Resource> Phase = phaseOf(B.What)) {
      double &Busy = Phases[size_t(*Phase)].BusyCycles;
      Busy = std::max(Busy, Schedulers * B.CyclesPerWarp);
    }
  if (holdsScheduler(P.Mix, N))
    merge(Phases[size_t(Resource::Tensor)], Phases[size_t(Resource::Issue)]);
  const auto &Steady = Latency.steadyPart();
  if (!Steady)
    return Out;
  // The latency is that of the slowest warps, but what they take from others
  // that of the mean.
  const double Mean =
      std::min(1.0, issueBusy(P.Bounds, Schedulers) / Steady->IssueCycles);
  std::vector<double> &CyclesOfLoop = Out.CyclesOfLoop;
  CyclesOfLoop = Steady->CyclesPerWarp;
  // Where more warps no longer help those that all run the loop, they do where
  // few of them run it.
  CyclesOfLoop.resize(MaxWarpsPerScheduler, CyclesOfLoop.back());
  for (size_t K = 0; K != CyclesOfLoop.size(); ++K) {
    double Latency = CyclesOfLoop.front() / double(K + 1);
    double Busy = Steady->CyclesPerWarp.back();
    CyclesOfLoop[K] *= std::max(Latency, Mean * Busy) / std::max(Latency, Busy);
  }
  // The rest of the code keeps its share of each phase.
  const double Rest = std::max(0.0, 1 - CyclesOfLoop.front() / Latency.onSm());
  PerResource<double> BusyInLoop = {};
  BusyInLoop[size_t(Resource::Issue)] = Steady->IssueCycles;
  for (size_t R = 0; R != Steady->PipeCycles.size(); ++R)
    if (std::optional<Resource> Phase = phaseOf(Resource(R))) {
      double &Busy = BusyInLoop[size_t(*Phase)];
      Busy = std::max(Busy, Steady->PipeCycles[R]);
    }
  for (size_t R = 0; R != Phases.size(); ++R) {
    Phases[R].LatencyCycles *= Rest;
    Phases[R].BusyCycles =
        std::max(0.0, Phases[R].BusyCycles - Mean * BusyInLoop[R]);
  }
  return Out;
}

/// Blocks on one SM whose warps meet at barriers: what they hold in one go is
/// one phase, and the rest of their lives is waiting.
static PhaseNetwork blockNetwork(const LoadedLatency &Latency,
                                 double Schedulers) {
  const auto &Block = Latency.wholeBlock();
  if (!Block)
    return PhaseNetwork({}, 0);
  return PhaseNetwork(
      WarpPhase{Block->HeldCycles, Block->HeldCycles},
      std::ceil(MaxWarpsPerScheduler * Schedulers / Block->Warps));
}

/// The network of \p Phases on a scheduler whose warps are all warps of the SM
/// but a share of (1 - \p Evenness): what all schedulers use has less to do for
/// each of its warps.
static PhaseNetwork networkOf(const Saturation::WarpPhases &Phases,
                              double Evenness) {
  PerResource<WarpPhase> OfUnit = Phases.OfUnit;
  for (size_t R = 0; R != OfUnit.size(); ++R)
    if (!isOfScheduler(Resource(R)))
      OfUnit[R].BusyCycles *= Evenness;
  return PhaseNetwork(OfUnit, MaxWarpsPerScheduler, Phases.CyclesOfLoop);
}

/// Bytes of a stream of reads that would keep \p R as busy as \p P does: what
/// contention was measured with. At least \p Bytes, the bytes moved. The rate
/// of that stream is the fit's own: were it that of the device, a faster L2
/// would make random accesses, whose rate is another number, wait longer.
static double streamedBytes(const Prediction &P, Resource R, StringRef Level,
                            double Bytes, Quantity ReadRate, Numbers &N) {
  std::optional<double> Rate = N.device().get(ReadRate);
  if (const ContentionFit *Fit = N.device().model().contention(Level);
      Fit && Fit->Peak)
    Rate = Fit->Peak->Value;
  for (const Bound &B : P.Bounds)
    if (B.What == R && Rate)
      return std::max(Bytes, B.CyclesPerWarp * *Rate);
  return Bytes;
}

Saturation::Saturation(const LoadedLatency &Latency, const Prediction &P,
                       const PerResource<double> &OneSm,
                       double ReplacementCycles, unsigned WarpsPerBlock,
                       Numbers &N)
    : Latency(Latency), Bound(warpThroughputBound(P.Bounds)),
      ReplacementCycles(ReplacementCycles),
      L2BytesPerWarp(streamedBytes(P, Resource::L2, "l2_read", P.L2BytesPerWarp,
                                   Quantity::L2ReadBytesPerCycle, N)),
      DramBytesPerWarp(
          streamedBytes(P, Resource::Dram, "dram_read",
                        P.DramReadBytesPerWarp + P.DramWriteBytesPerWarp,
                        Quantity::DramReadBytesPerCycle, N)),
      DramWriteCyclesPerWarp(
          P.DramWriteBytesPerWarp /
          N.device().get(Quantity::DramWriteBytesPerCycle).value_or(INFINITY)),
      DramWriteDelay(N.get(Quantity::DramWriteDelay)),
      Schedulers(N.schedulers()), Interferes(N.has(Mechanism::Interference)),
      WarpsPerBlock(N.has(Mechanism::WholeWarps) ? WarpsPerBlock : 0),
      Phases(warpPhases(Latency, P, Schedulers, N)),
      BlockNetwork(blockNetwork(Latency, Schedulers)) {
  for (const auto &B : P.Bounds)
    if (B.What == Resource::L2 || B.What == Resource::Dram)
      SharedUses[B.What == Resource::L2 ? 0 : 1] = {B.CyclesPerWarp,
                                                    OneSm[size_t(B.What)]};
    else if (B.What == Resource::Host)
      // One SM may have all of the bus.
      SharedUses[2] = {B.CyclesPerWarp, 0};
    else if (isOfScheduler(B.What))
      SchedulerCycles = std::max(SchedulerCycles, B.CyclesPerWarp);
    else
      SmCycles = std::max(SmCycles, B.CyclesPerWarp);
  // Heuristic: warps that can issue nearly every cycle on their own (latency
  // of what the SM does under 1.5 times the issue slots it takes) convoy. An
  // H200 shows it with 4 independent chains of additions, 1.0, and not with 2,
  // 2.0; the alpha grid of 4 chains would notice a change.
  double Busy = issuePhaseBusy(P, Schedulers);
  if (N.has(Mechanism::Convoys) && Latency.onSm() < 1.5 * Busy) {
    ConvoyBusy = Busy;
    ConvoyWaitFraction = Latency.fractionAfterBranchesBack();
  }
  auto FitOf = [&](StringRef Level, double BytesPerWarp) {
    const ContentionFit *Fit = N.device().model().contention(Level);
    if (!Fit && BytesPerWarp > 0 && N.has(Mechanism::MemoryContention))
      N.borrow(("contention." + Level).str(), "none");
    return Fit;
  };
  if (const ContentionFit *Fit = FitOf("l2_read", P.L2BytesPerWarp))
    L2Fit = *Fit, HasL2Fit = true;
  if (const ContentionFit *Fit =
          FitOf("dram_read", P.DramReadBytesPerWarp + P.DramWriteBytesPerWarp))
    DramFit = *Fit, HasDramFit = true;
}

/// B x / (C - x), the part of the fit that load adds.
static double contentionDelay(const ContentionFit &Fit, double BytesPerCycle) {
  double C = Fit.C.Value;
  // Beyond 99.9 % of C the fit says nothing; the bound holds there.
  double X = std::min(BytesPerCycle, 0.999 * C);
  return Fit.B.Value * X / (C - X);
}

double Saturation::latencyAt(double WarpsPerCycle) const {
  MemoryDelay Delay;
  if (HasL2Fit)
    Delay.L2 = contentionDelay(L2Fit, WarpsPerCycle * L2BytesPerWarp);
  if (HasDramFit)
    Delay.Dram = contentionDelay(DramFit, WarpsPerCycle * DramBytesPerWarp);
  // Reads that come while DRAM writes wait until it is done with that.
  Delay.Dram += WarpsPerCycle * DramWriteCyclesPerWarp * DramWriteDelay;
  return Latency.cycles(Delay) + ReplacementCycles;
}

/// The largest x up to \p High with right(x) >= x, where right falls with x.
///
/// A bisection decides, so that the digits do not depend on how the place was
/// found; secants find the place first, and what they tell it need not ask.
template <typename Function>
static double fixedPoint(double High, Function Right) {
  double AtHigh = Right(High) - High;
  if (AtHigh >= 0)
    return High;
  // Where the right side is known to be above x, and below it. Nearer than that
  // to the fixed point rounding may decide.
  double Above = 0, Below = High;
  const double Near = 1e-11 * High;
  auto Ask = [&](double X) {
    double Excess = Right(X) - X;
    if (Excess > Near)
      Above = std::max(Above, X);
    else if (Excess < -Near)
      Below = std::min(Below, X);
    return Excess;
  };
  double Before = High, BeforeExcess = AtHigh, At = High + AtHigh;
  for (unsigned I = 0; I != 8; ++I) {
    double Excess = Ask(At);
    if (std::abs(Excess) <= Near)
      break;
    double Next = At - Excess * (At - Before) / (Excess - BeforeExcess);
    if (!(Next > Above && Next < Below))
      Next = (Above + Below) / 2;
    Before = std::exchange(At, Next);
    BeforeExcess = Excess;
  }
  Ask(std::max(0.0, At - 3 * Near));
  Ask(std::min(High, At + 3 * Near));

  double Low = 0;
  for (unsigned I = 0; I != 50; ++I) {
    double Mid = (Low + High) / 2;
    bool IsLow = Mid <= Above || (Mid < Below && Right(Mid) >= Mid);
    (IsLow ? Low : High) = Mid;
  }
  return Low;
}

double Saturation::warpsPerCycleApart(double Warps) const {
  if (Warps <= 0)
    return 0;
  return fixedPoint(std::min(Bound, Warps / latencyAt(0)),
                    [&](double X) { return Warps / latencyAt(X); });
}

Saturation::Share Saturation::wholeWarps(double Warps) const {
  Share S{Warps / Schedulers, 1};
  if (!WarpsPerBlock || Warps <= 0)
    return S;
  // Where fewer run than those of whole blocks, each scheduler has its part.
  constexpr double Rounding = 1e-6;
  const double Resident =
      std::ceil(Warps / WarpsPerBlock - Rounding) * WarpsPerBlock;
  const double Whole = std::ceil(Resident / Schedulers - Rounding);
  S.OfFullest = Whole * Warps / Resident;
  S.Evenness = Resident / (Schedulers * Whole);
  return S;
}

const PhaseNetwork &Saturation::network(double Evenness) const {
  auto Known = llvm::find_if(
      Networks, [&](const auto &N) { return N.first == Evenness; });
  if (Known != Networks.end())
    return Known->second;
  // A curve asks for all numbers of warps.
  constexpr size_t MostKept = 8;
  if (Networks.size() == MostKept)
    Networks.clear();
  return Networks.emplace_back(Evenness, networkOf(Phases, Evenness)).second;
}

double Saturation::interfering(double Warps, const Share &Of,
                               double ChipWarpsPerCycle) const {
  double Wait = std::max(0.0, latencyAt(ChipWarpsPerCycle) - Latency.onSm());
  double PerScheduler = std::min<double>(Of.OfFullest, MaxWarpsPerScheduler);
  double Free = network(Of.Evenness).throughput(PerScheduler, Wait);
  // A warp that branches back loses its turn: its next loads wait behind the
  // instructions that all other warps have ready, so that nothing is left to
  // fill the wait for them.
  double ConvoyCycles = PerScheduler * ConvoyBusy + ConvoyWaitFraction * Wait;
  double Convoy = ConvoyCycles > 0 ? PerScheduler / ConvoyCycles : Free;
  double Apart = Schedulers * Of.Evenness * std::min(Free, Convoy);
  return Latency.wholeBlock()
             ? std::min(Apart, interferingBlocks(Warps, ChipWarpsPerCycle))
             : Apart;
}

double Saturation::interferingBlocks(double Warps,
                                     double ChipWarpsPerCycle) const {
  const WarpLatency::WholeBlock &Block = *Latency.wholeBlock();
  // What load and replacement add to the life of each warp.
  const double More = latencyAt(ChipWarpsPerCycle) - Latency.unloaded();
  const double Wait = std::max(0.0, Block.Cycles - Block.HeldCycles + More);
  const double Blocks =
      std::min(Warps, MaxWarpsPerScheduler * Schedulers) / Block.Warps;
  return Block.Warps * BlockNetwork.throughput(Blocks, Wait);
}

double Saturation::boundAt(double Share, double Evenness) const {
  double Cycles = std::max(SmCycles, SchedulerCycles / Evenness);
  for (const SharedUse &Use : SharedUses)
    Cycles =
        std::max({Cycles, Use.AllSms * Share, std::min(Use.OneSm, Use.AllSms)});
  return Cycles > 0 ? 1 / Cycles : Bound;
}

double Saturation::warpsPerCycle(double Warps, double ChipWarps) const {
  if (Warps <= 0)
    return 0;
  const double OfChip = ChipWarps < 0 ? 1 : std::min(1.0, ChipWarps / Warps);
  const Share Of = wholeWarps(Warps);
  const double Most =
      std::min(boundAt(OfChip, Of.Evenness), Warps / latencyAt(0));
  if (!Interferes)
    return fixedPoint(Most,
                      [&](double X) { return Warps / latencyAt(X * OfChip); });
  return fixedPoint(
      Most, [&](double X) { return interfering(Warps, Of, X * OfChip); });
}

double Saturation::neededWarps(double Fraction) const {
  if (!std::isfinite(Bound))
    return 1;
  double X = Fraction * Bound;
  double Low = X * latencyAt(X), High = MaxWarpsPerScheduler * Schedulers;
  // Interference only adds to the warps that latency alone asks for.
  if (!Interferes)
    return Low;
  if (Low >= High)
    return Low;
  // Between whole numbers of warps, too.
  auto Reached = [&](double Warps) {
    return interfering(Warps, {Warps / Schedulers, 1}, X);
  };
  if (Reached(High) < X)
    return std::numeric_limits<double>::infinity();
  for (unsigned I = 0; I != 30; ++I) {
    double Mid = (Low + High) / 2;
    (Reached(Mid) >= X ? High : Low) = Mid;
  }
  return High;
}
