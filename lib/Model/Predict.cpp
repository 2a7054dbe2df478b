//===- Predict.cpp - The model --------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Predict.h"
#include "Bounds/ThroughputBounds.h"
#include "Grid/GridSegments.h"
#include "Grid/GridTime.h"
#include "Grid/LookBack.h"
#include "Grid/ResidentBlocks.h"
#include "Throughput/LoadBurst.h"
#include "gpuocc/Device/TensorClock.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TimeProfiler.h"
#include <cmath>
#include <memory>

using namespace gpuocc;
using namespace llvm;

BlockResources gpuocc::blockResources(const KernelFacts &Facts,
                                      const Launch &L) {
  BlockResources Block;
  Block.Threads = L.threadsPerBlock();
  Block.RegistersPerThread = Facts.Resources.RegistersPerThread;
  Block.StaticSharedBytes = Facts.StaticSharedBytes;
  Block.DynamicSharedBytes = L.DynamicSharedBytes.Value;
  Block.Barriers = Facts.Resources.Barriers;
  Block.ClusterBlocks = L.Cluster.count();
  if (L.CarveoutPercent)
    Block.CarveoutPercent = *L.CarveoutPercent;
  return Block;
}

static void fillOccupancy(const KernelFacts &Facts, const Launch &L,
                          const DeviceModel &Device, Prediction &P) {
  Expected<const ArchLimits &> Limits = archLimits(Device.Architecture);
  if (!Limits) {
    P.Borrowed.push_back(toString(Limits.takeError()));
    P.BlocksPerSm = 1;
    P.WarpsPerSm = L.warpsPerBlock();
    return;
  }
  Occupancy O = occupancy(*Limits, blockResources(Facts, L));
  P.BlocksPerSm = O.BlocksPerSm;
  P.WarpsPerSm = O.WarpsPerSm;
  P.OccupancyFraction = O.Fraction;
  P.Limiter = O.limiter();
}

static NeededWarps neededWarps(const Saturation &S,
                               const LoadedLatency &Latency,
                               double Replacement) {
  NeededWarps Needed;
  if (!std::isfinite(S.bound()))
    return Needed;
  Needed.P90 = S.neededWarps(0.90);
  Needed.P95 = S.neededWarps(0.95);
  Needed.P99 = S.neededWarps(0.99);
  Needed.Linear = S.bound() * (Latency.unloaded() + Replacement);
  return Needed;
}

namespace {

/// Everything that the blocks of one segment decide.
struct SegmentModel {
  Prediction P;
  CountedCycles Counted = {};
  std::unique_ptr<WarpLatency> Warp;
  std::unique_ptr<LoadedLatency> Loaded;
  std::unique_ptr<Saturation> Throughput;
  /// The same for blocks that replace others, whose loads come in bursts.
  std::unique_ptr<Saturation> Replacing;
  /// The same for blocks that nothing replaces.
  std::unique_ptr<Saturation> Last;
  FillTime Fill;
  std::optional<LookBack> LooksBack;
  double Blocks = 0;
  double Ns = 0;
  /// Cycles of the heaviest of its blocks with the chip to itself.
  double HeaviestCycles = 0;
};

} // namespace

/// \p Blocks: blocks that an SM runs at once, \p WarpsPerSm the mean over the
/// SMs of the warps that it holds.
static SegmentModel modelSegment(const KernelFacts &Facts,
                                 const GridSegment &Segment,
                                 unsigned WarpsPerBlock, unsigned Blocks,
                                 double WarpsPerSm, PredictDetail Detail,
                                 Numbers &N) {
  SegmentModel M;
  M.P.Mix = instructionMix(Facts, Segment.Mean);
  M.Warp = std::make_unique<WarpLatency>(Facts, Segment.Slowest,
                                         Segment.OtherKinds, WarpsPerBlock, N);
  const ThroughputCycles Cycles = fillThroughputBounds(
      Facts, Segment.Mean, M.Warp->issuedTogether(Segment.Mean), WarpsPerBlock,
      WarpsPerSm, N, M.P, Detail);
  M.Counted = Cycles.Counted;
  if (N.has(Mechanism::UnevenSchedulers))
    addIdleSchedulers(Segment.fullestScheduler(WarpsPerBlock, Blocks), M.P);
  M.Loaded = std::make_unique<LoadedLatency>(*M.Warp, Segment.Mean);
  // Warps of a block start one after the other, and it keeps its slots until
  // the last one ends.
  const double Parted = M.Warp->spreadOfBlock();
  const double Start = startSpreadCycles(Facts, Segment.Mean, WarpsPerBlock, N);
  const double Burst =
      N.has(Mechanism::LoadBursts)
          ? loadBurstCycles(Facts, Segment.Mean, WarpsPerBlock, N)
          : 0;
  const double Spread = Start + Parted;
  const double Empty = N.get(Quantity::BlockReplacement);
  const double Replacement = Empty + Spread;
  M.Throughput = std::make_unique<Saturation>(*M.Loaded, M.P, Cycles.OneSm,
                                              Replacement, WarpsPerBlock, N);
  if (N.has(Mechanism::FillTime))
    M.Fill = fillTime(Facts, Segment.Mean, *M.Warp, M.P, N);
  M.Replacing = std::make_unique<Saturation>(
      M.Throughput->withReplacement(Empty + Parted + std::max(Start, Burst)));
  M.Last = std::make_unique<Saturation>(M.Throughput->withReplacement(Spread));
  M.P.Latency.BarrierCycles = M.Loaded->atBarriers();
  M.P.Latency.ReplacementCycles = Replacement;
  M.P.Latency.CyclesPerWarp = M.Loaded->unloaded() + Replacement;
  M.HeaviestCycles =
      M.Loaded->unloaded() * Segment.HeaviestOverSlowest + Spread;
  if (N.has(Mechanism::LookBack))
    M.LooksBack = lookBackOf(Facts, Segment, WarpsPerBlock,
                             M.Loaded->unloaded() + Spread, N);
  return M;
}

/// Cycles that the blocks of \p M, or a share of them, take on an SM that is
/// full of them, by warps of a block.
static double cyclesOfFullSm(const SegmentModel &M, double WarpsPerSm) {
  const double Rate = M.Throughput->warpsPerCycle(WarpsPerSm);
  return Rate > 0 ? M.Blocks / Rate : 0;
}

/// Segments share the chip: together they take as long as their work does, and
/// no less than the slowest of them alone, nor than the heaviest block.
static TimeEstimate combinedTime(std::vector<SegmentModel> &Segments,
                                 const GridShape &Whole, Numbers &N) {
  TimeEstimate Longest;
  double FluidNs = 0, HeaviestCycles = 0;
  for (SegmentModel &M : Segments) {
    GridShape Shape = Whole;
    Shape.Blocks = M.Blocks;
    // Blocks that do little make way at once for more of the others, which
    // come to some SMs sooner: an H200 hands blocks out to groups of SMs, some
    // of which have fewer.
    if (Segments.size() > 1 && Whole.Blocks > Whole.PerWave &&
        M.Blocks <= Whole.PerWave)
      Shape.OnFullestSm = N.get(Quantity::FirstBlocksOnFullestSm);
    TimeEstimate T =
        gridTime(Shape, {*M.Throughput, *M.Replacing, *M.Last}, M.Fill, N);
    M.Ns = T.Ns;
    if (T.Ns > Longest.Ns)
      Longest = T;
    HeaviestCycles = std::max(HeaviestCycles, M.HeaviestCycles);
    FluidNs += M.Blocks * Whole.WarpsPerBlock /
               (N.smCount() * M.Throughput->warpsPerCycle(
                                  Whole.BlocksPerSm * Whole.WarpsPerBlock)) /
               N.clockGhz();
  }
  if (Segments.size() > 1)
    Longest.Ns = std::max(Longest.Ns, FluidNs + Longest.LaunchNs);
  HeaviestCycles += N.get(Quantity::ColdStart);
  Longest.Ns =
      std::max(Longest.Ns, HeaviestCycles / N.clockGhz() + Longest.LaunchNs);
  Longest.Waves = Whole.Blocks / Whole.PerWave;
  return Longest;
}

/// What blocks of \p M wait for each other, all of \p Whole as these do.
static double waitNs(const SegmentModel &M, const GridShape &Whole,
                     Numbers &N) {
  if (!M.LooksBack)
    return 0;
  LookBackGrid Grid;
  Grid.Blocks = Whole.Blocks;
  Grid.Slots = Whole.PerWave;
  Grid.StartCycles = N.get(Quantity::BlockLaunch) / N.smCount();
  if (const double Bound = M.Throughput->bound(); std::isfinite(Bound))
    Grid.ServiceCycles = Whole.WarpsPerBlock / (N.smCount() * Bound);
  return lookBackCycles(*M.LooksBack, Grid) / N.clockGhz();
}

/// Throughput at each number of warps that an SM can hold.
static std::vector<CurvePoint> throughputCurve(const Saturation &Throughput,
                                               const Prediction &P) {
  unsigned MaxWarps = P.OccupancyFraction > 0
                          ? std::lround(P.WarpsPerSm / P.OccupancyFraction)
                          : 64;
  std::vector<CurvePoint> Curve;
  for (unsigned Warps = 1; Warps <= MaxWarps; ++Warps)
    Curve.push_back({double(Warps), Throughput.warpsPerCycle(Warps)});
  return Curve;
}

/// The share of the time for which counters see each unit busy: of the whole
/// launch, with its idle begin and end, where that is known.
static PerResource<double> busyFractions(ArrayRef<SegmentModel> Segments,
                                         const SegmentModel &Main,
                                         const Prediction &P,
                                         unsigned WarpsPerBlock, Numbers &N) {
  PerResource<double> Busy = {};
  for (size_t R = 0; R != Busy.size(); ++R) {
    if (!P.Time) {
      Busy[R] = Main.Counted[R] * P.WarpsPerCycle;
      continue;
    }
    double Cycles = P.Time->Ns * N.clockGhz();
    for (const SegmentModel &S : Segments)
      Busy[R] +=
          S.Counted[R] * S.Blocks * WarpsPerBlock / (N.smCount() * Cycles);
  }
  return Busy;
}

/// What a diagnosis of \p P rests on, of which \p Main is the segment that
/// takes the time.
static DiagnosisEvidence evidence(const SegmentModel &Main,
                                  const Prediction &P) {
  DiagnosisEvidence E;
  E.BusyOfLaunch = P.Busy;
  for (size_t R = 0; R != E.BusyWhenFull.size(); ++R)
    E.BusyWhenFull[R] = Main.Counted[R] * P.WarpsPerCycle;
  if (!P.Bounds.empty())
    E.FirstBound = P.Bounds.front().What;
  E.ShareOfBound = P.WarpsPerCycle / Main.Throughput->bound();
  E.GridIsSmall = P.ActiveWarpsPerSm < P.WarpsPerSm;
  E.LaunchKnown = bool(P.Time);
  return E;
}

Prediction gpuocc::predict(const KernelFacts &Facts,
                           const ExecutionProfile &Profile, const Launch &L,
                           const DeviceModel &Device, PredictDetail Detail) {
  return Predictor(Device).predict(Facts, Profile, L, Detail);
}

Predictor::Predictor(const DeviceModel &Device, const Mechanisms &Used)
    : Shared(std::make_unique<DeviceNumbers>(Device, Used)) {}

Predictor::~Predictor() = default;

const DeviceModel &Predictor::device() const { return Shared->Flat.model(); }

const Mechanisms &Predictor::mechanisms() const { return Shared->Used; }

/// Do tensor cores lower the clock in a launch \p L with \p Mix? Products of
/// warps do on a single SM (H200), those of doubles never; products of warp
/// groups did on 128 SMs and not on 56 or fewer: where between is assumed.
static bool lowersClock(ArrayRef<ClassCount> Mix, const Launch &L,
                        double SmCount) {
  constexpr double Most = 0.5;
  const bool IsOnFewSms = L.Grid && L.Grid->Value.count() <= Most * SmCount;
  return any_of(Mix, [&](const ClassCount &C) {
    return C.PerWarp > 0 && defaultPipe(C.Class) == Resource::Tensor &&
           C.Class != InstClass::MmaF64 &&
           !(IsOnFewSms && warpGroupColumns(C.Class) != 0);
  });
}

DeviceNumbers &Predictor::numbersFor(ArrayRef<ClassCount> Mix,
                                     const Launch &L) {
  if (!device().get(Quantity::SmClockTensorMhz) ||
      !lowersClock(Mix, L, Numbers(*Shared).smCount()))
    return *Shared;
  if (!TensorShared) {
    TensorDevice =
        std::make_unique<const DeviceModel>(atTensorClock(Shared->Whole));
    TensorShared = std::make_unique<DeviceNumbers>(*TensorDevice, Shared->Used);
  }
  return *TensorShared;
}

Prediction Predictor::predict(const KernelFacts &Facts,
                              const ExecutionProfile &Profile, const Launch &L,
                              PredictDetail Detail) {
  Numbers N(numbersFor(instructionMix(Facts, Profile), L));
  return predictWith(N, Facts, Profile, L, Detail);
}

double Predictor::offByBorrowed(const KernelFacts &Facts,
                                const ExecutionProfile &Profile,
                                const Launch &L, const Prediction &P,
                                double Factor) {
  if (P.Borrowed.empty() || !P.Time || P.Time->Ns <= 0)
    return 1;
  const DeviceNumbers &Known = numbersFor(P.Mix, L);
  std::unique_ptr<DeviceNumbers> &Shifted = Slower[&Known];
  if (!Shifted || Shifted->BorrowedFactor != Factor)
    Shifted = std::make_unique<DeviceNumbers>(Known.Whole, Known.Used, Factor);
  Numbers N(*Shifted);
  const Prediction Other =
      predictWith(N, Facts, Profile, L, PredictDetail::Comparison);
  if (N.hasUnscaledBorrowed() || !Other.Time)
    return Factor;
  return std::max(Other.Time->Ns / P.Time->Ns, P.Time->Ns / Other.Time->Ns);
}

Prediction Predictor::predictWith(Numbers &N, const KernelFacts &Facts,
                                  const ExecutionProfile &Profile,
                                  const Launch &L, PredictDetail Detail) const {
  TimeTraceScope Scope("gpu-occupancy predict", Facts.Name);
  Prediction P;
  P.Mix = instructionMix(Facts, Profile);
  fillOccupancy(Facts, L, device(), P);
  unsigned WarpsPerBlock = L.warpsPerBlock();
  P.ActiveWarpsPerSm = P.WarpsPerSm;

  // The models refer to the profiles of their segments.
  const std::vector<GridSegment> GridParts =
      N.has(Mechanism::GridSegments)
          ? gridSegments(Facts, Profile, WarpsPerBlock, N.mechanisms())
          : std::vector{
                GridSegment{1, Profile, {Profile, double(WarpsPerBlock)}}};
  std::vector<SegmentModel> Segments;
  unsigned Blocks = std::max(1u, P.BlocksPerSm);
  if (L.Grid)
    Blocks = unsigned(std::min<double>(
        Blocks, std::ceil(double(L.Grid->Value.count()) / N.smCount())));
  double WarpsPerSm = double(Blocks) * WarpsPerBlock;
  if (L.Grid)
    WarpsPerSm = std::min(WarpsPerSm,
                          L.Grid->Value.count() * WarpsPerBlock / N.smCount());
  for (const GridSegment &Segment : GridParts) {
    Segments.push_back(modelSegment(Facts, Segment, WarpsPerBlock, Blocks,
                                    WarpsPerSm, Detail, N));
    Segments.back().Blocks = L.Grid
                                 ? L.Grid->Value.count() * Segment.BlockFraction
                                 : Segment.BlockFraction;
    Segments.back().Ns = cyclesOfFullSm(Segments.back(), WarpsPerSm);
  }
  if (L.Grid && P.BlocksPerSm) {
    GridShape Grid{
        double(L.Grid->Value.count()), WarpsPerBlock, P.BlocksPerSm,
        residentBlocks(L.Cluster.count(), P.BlocksPerSm, device(), N)};
    TimeEstimate Time = combinedTime(Segments, Grid, N);
    const auto HasFewerBlocks = [](const SegmentModel &A,
                                   const SegmentModel &B) {
      return A.Blocks < B.Blocks;
    };
    Time.Ns += waitNs(*llvm::max_element(Segments, HasFewerBlocks), Grid, N);
    P.Time = Time;
    P.ActiveWarpsPerSm = activeWarpsPerSm(Grid, N);
  }

  // The segment that takes the time speaks for the kernel.
  const SegmentModel &M =
      *max_element(Segments, [](const SegmentModel &A, const SegmentModel &B) {
        return A.Ns < B.Ns;
      });
  if (L.Grid && P.BlocksPerSm && Segments.size() > 1)
    P.ActiveWarpsPerSm = activeWarpsPerSm(
        {std::max(1.0, M.Blocks), WarpsPerBlock, P.BlocksPerSm}, N);
  P.Bounds = M.P.Bounds;
  P.L2BytesPerWarp = M.P.L2BytesPerWarp;
  P.DramReadBytesPerWarp = M.P.DramReadBytesPerWarp;
  P.DramWriteBytesPerWarp = M.P.DramWriteBytesPerWarp;
  P.Latency = M.P.Latency;
  for (const ClassCount &C : P.Mix)
    P.InstructionsPerWarp += C.PerWarp;

  const Saturation &Throughput = *M.Throughput;
  if (Detail == PredictDetail::Full) {
    P.Latency.Path = M.Warp->criticalPath();
    P.Needed = neededWarps(Throughput, *M.Loaded, P.Latency.ReplacementCycles);
    P.Curve = throughputCurve(Throughput, P);
  }
  P.WarpsPerCycle = Throughput.warpsPerCycle(P.ActiveWarpsPerSm);
  // Which side of the knee that is does not depend on how sharply the curve
  // bends.
  P.NearBound = Throughput.warpsPerCycleApart(P.ActiveWarpsPerSm) >=
                0.9 * Throughput.bound();
  P.Busy = busyFractions(Segments, M, P, WarpsPerBlock, N);
  P.Diagnosed = diagnose(evidence(M, P));
  // Without a time the mean work of a warp goes with the rate of all warps.
  if (!P.Time && Segments.size() > 1) {
    double Cycles = 0, Parts = 0;
    for (const SegmentModel &S : Segments) {
      Cycles += cyclesOfFullSm(S, P.ActiveWarpsPerSm);
      Parts += S.Blocks;
    }
    P.WarpsPerCycle = Cycles > 0 ? Parts / Cycles : 0;
  }
  P.Borrowed.insert(P.Borrowed.end(), N.borrowed().begin(), N.borrowed().end());
  return P;
}
