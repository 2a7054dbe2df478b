//===- OperationLatency.cpp - How long results take to arrive -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/OperationLatency.h"
#include "Numbers/ConstantMisses.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

static double square(double X) { return X * X; }

OperationLatency OperationLatency::inPart(double Fraction) const {
  OperationLatency Part = *this;
  Part.Cycles *= Fraction;
  Part.L2Share *= Fraction;
  Part.DramShare *= Fraction;
  Part.VarianceCycles2 *= square(Fraction);
  Part.CommonVarianceCycles2 *= square(Fraction);
  return Part;
}

/// Cycles of an SM for a packet of \p A.
static double packetCycles(const MemoryAccess &A, Numbers &N) {
  std::optional<double> Lane;
  switch (A.Kind) {
  case AccessKind::Store:
    Lane = N.find(Quantity::DsmStoreLane, "loads");
    break;
  case AccessKind::Atomic:
    Lane = N.find(Quantity::DsmAtomicLane, "loads");
    break;
  case AccessKind::Reduction:
    Lane = N.find(Quantity::DsmReductionLane, "loads");
    break;
  case AccessKind::Load:
  case AccessKind::AsyncCopy:
    break;
  }
  if (!Lane)
    Lane = N.find(Quantity::DsmLoadLane,
                  quantityInfo(Quantity::DsmBytesPerCycle).Key);
  if (Lane)
    return *Lane;
  const std::optional<double> Bytes =
      N.find(Quantity::DsmBytesPerCycle, "none");
  return Bytes && *Bytes > 0 ? N.sectorBytes() / *Bytes : 0;
}

double gpuocc::otherBlocksCycles(const MemoryAccess &A, const AccessProfile &P,
                                 Numbers &N) {
  const double Lines = P.OtherBlocksLinesPerRequest;
  const std::optional<double> Line =
      Lines > 0 ? N.find(Quantity::DsmLoadLine,
                         quantityInfo(Quantity::DsmLoadLane).Key)
                : std::nullopt;
  return P.OtherBlocksSectorsPerRequest * packetCycles(A, N) +
         Lines * Line.value_or(0);
}

/// What a request waits for where other blocks of the cluster have some of its
/// sectors, which leave and arrive one by one behind the first.
static double otherBlocksLatency(const MemoryAccess &A, const AccessProfile &P,
                                 Numbers &N) {
  const std::optional<double> First = N.find(
      isAtomic(A.Kind) ? Quantity::DsmAtomicLatency : Quantity::DsmLatency,
      quantityInfo(Quantity::SharedLatency).Key);
  AccessProfile One;
  One.OtherBlocksSectorsPerRequest =
      std::min(1.0, P.OtherBlocksSectorsPerRequest);
  One.OtherBlocksLinesPerRequest = std::min(1.0, P.OtherBlocksLinesPerRequest);
  return First.value_or(N.get(Quantity::SharedLatency)) +
         otherBlocksCycles(A, P, N) - otherBlocksCycles(A, One, N);
}

double gpuocc::sharedTurnCycles(const MemoryAccess &A, Numbers &N) {
  const double Pass = N.get(Quantity::SharedWavefront);
  const std::optional<double> Swap = N.device().get(Quantity::AtomicSharedSwap);
  const bool Swaps = isAtomic(A.Kind) && A.AtomicOp == "cas" &&
                     A.Combining != LaneCombining::Retried;
  return Swaps && Swap ? std::max(Pass, *Swap) : Pass;
}

static double sharedCycles(const MemoryAccess &A, const AccessProfile &P,
                           Numbers &N) {
  // Lanes that will try again fail together.
  const double InTurn =
      A.Combining == LaneCombining::Retried ? 1 : P.LanesPerAddress;
  // A warp alone waits for each further lane as many times longer as its turn
  // takes: 2 cycles of additions, 4 of swaps (contended_shared).
  if (isAtomic(A.Kind))
    return N.get(Quantity::AtomicSharedLatency) +
           std::max(0.0, InTurn - 1) * N.get(Quantity::AtomicSharedConflict) *
               sharedTurnCycles(A, N) / N.get(Quantity::SharedWavefront);
  const double Narrow = N.get(Quantity::SharedLatency);
  const Quantity Wide = A.BytesPerLane >= 16 ? Quantity::SharedLatency128
                                             : Quantity::SharedLatency64;
  const double Latency =
      A.BytesPerLane >= 8
          ? N.get(Wide, Narrow, quantityInfo(Quantity::SharedLatency).Key)
          : Narrow;
  const double Conflicts = std::max(
      0.0, P.WavefrontsPerRequest - std::max(1.0, P.IdealWavefrontsPerRequest));
  return Latency + Conflicts * N.get(Quantity::SharedConflictIncrement);
}

/// Beyond the time of a request that hits: the way of the first line that the
/// cache lacks, and the others behind it.
static double constantMissCycles(const MemoryAccess &A, const AccessProfile &P,
                                 Numbers &N) {
  const ConstantMisses Missed = constantMisses(A, P, N.device());
  if (Missed.Lines <= 0)
    return 0;
  const double Hit = N.get(Quantity::ConstantL1Latency);
  const double Way = N.get(Quantity::ConstantL15Latency, Hit,
                           quantityInfo(Quantity::ConstantL1Latency).Key) -
                     Hit;
  return std::min(1.0, Missed.Lines) * std::max(0.0, Way) +
         std::max(0.0, Missed.Lines - 1) * Missed.CyclesPerLine;
}

static double constantCycles(const MemoryAccess &A, const AccessProfile &P,
                             Numbers &N) {
  return N.get(Quantity::ConstantL1Latency) +
         std::max(0.0, P.DistinctAddressesPerRequest - 1) *
             N.get(Quantity::ConstantReplay) +
         constantMissCycles(A, P, N);
}

/// Of one sector that L2 does not have.
static double behindL2(const AccessProfile &P, Numbers &N) {
  if (!P.IsHostMemory)
    return N.dramLatency();
  return N.get(Quantity::HostMemoryLatency, N.dramLatency(),
               quantityInfo(Quantity::DramLatency).Key);
}

static OperationLatency atomicLatency(const AccessProfile &P, Numbers &N) {
  OperationLatency Out;
  Out.L2Share = P.IsHostMemory ? 0 : 1;
  const double OfL2 =
      N.get(Quantity::AtomicGlobalLatency, N.l2HitLatency(), "L2 hit");
  // The bus performs it: 2050 cycles, and a load 2170 (H200).
  Out.Cycles = (P.IsHostMemory ? std::max(OfL2, behindL2(P, N)) : OfL2) +
               std::max(0.0, P.DistinctAddressesPerRequest - 1) *
                   N.get(Quantity::SectorIncrement);
  return Out;
}

namespace {

/// Latencies of one request by the level that serves it, cycles.
struct LevelLatencies {
  double L1, L2, Dram;
};

/// The lines of a request that L1 does not have.
struct AwaitedLines {
  /// Share of the executions that wait for any.
  double Waits;
  /// Lines of one such execution, and how many of them are not near another:
  /// lines near each other queue together.
  double PerWait, ApartPerWait;
  /// Share of these executions that L2 serves altogether, and what it would be
  /// without the sectors that were fetched along with others.
  double OfL2, OfL2ByChance;
};

} // namespace

static LevelLatencies levelLatencies(const AccessProfile &P, Numbers &N) {
  const double ExtraLines = std::max(0.0, P.LinesPerRequest - 1);
  LevelLatencies Out = {N.get(Quantity::L1HitLatency) +
                            ExtraLines * N.get(Quantity::L1Increment),
                        N.l2HitLatency(), behindL2(P, N)};
  // Our calibration measures the latency of one sector, and what further ones
  // in lines of their own add. The sectors of a line take as long (694 cycles
  // for a line of DRAM that load 0 extrapolates to, 669 for a sector), those of
  // other lines come at the same time. Published latencies are of coalesced
  // requests.
  const std::optional<double> DramIncrement =
      N.device().get(Quantity::DramSectorIncrement);
  const double SectorsPerLine =
      P.SectorsPerRequest / std::max(1.0, P.LinesPerRequest);
  const double Extra =
      DramIncrement
          ? ExtraLines + std::max(0.0, SectorsPerLine - 1)
          : std::max(0.0, P.SectorsPerRequest - P.IdealSectorsPerRequest);
  const double L2Increment = N.get(Quantity::SectorIncrement);
  Out.L2 += Extra * L2Increment;
  if (Extra > 0)
    Out.Dram += Extra * N.get(Quantity::DramSectorIncrement, L2Increment,
                              quantityInfo(Quantity::SectorIncrement).Key);
  return Out;
}

static AwaitedLines awaitedLines(const MemoryAccess &A, const AccessProfile &P,
                                 const FlatDevice &Device) {
  AwaitedLines Out;
  Out.Waits = A.Kind == AccessKind::Store ? 0 : P.L1WaitFraction;
  const double MissedLines = P.LinesPerRequest * (1 - P.L1HitFraction);
  Out.PerWait = Out.Waits > 0 ? std::max(1.0, MissedLines / Out.Waits) : 1;
  const double ByChance = P.L2HitFraction * (1 - P.L2WaitFraction);
  const double Found = ByChance + (1 - ByChance) * P.FetchedAlongFraction;
  // A request waits for the last of its lines.
  Out.OfL2 = std::pow(Found, Out.PerWait);
  Out.OfL2ByChance = std::pow(ByChance, Out.PerWait);
  Out.ApartPerWait = Out.PerWait;
  if (std::optional<double> Near = Device.get(Quantity::DramNeighborBytes);
      Near && P.LaneStrideBytes)
    Out.ApartPerWait =
        std::clamp(std::abs(double(*P.LaneStrideBytes)) * P.ActiveLanes / *Near,
                   1.0, Out.PerWait);
  return Out;
}

/// Waits vary within a level and between L2 and DRAM. Loads that are awaited
/// together mostly wait together or not at all (at the begin of a sector), so
/// that the share of requests that wait scales the deviation; and so does the
/// share of those whose sectors are not there since they came along with others
/// (at the begin of what DRAM brings at a time).
static void addVariance(const AccessProfile &P, const LevelLatencies &Level,
                        const AwaitedLines &Lines, Numbers &N,
                        OperationLatency &Out) {
  auto Deviation = [&](double Share, Quantity Q) {
    return Lines.Waits * Share > 0 ? N.get(Q) : 0;
  };
  const double ByChance = Lines.OfL2ByChance, Missed = 1 - ByChance;
  const double OfOneL2 = Deviation(Lines.OfL2, Quantity::L2LatencyDeviation);
  const double OfOneDram =
      Deviation(1 - Lines.OfL2, Quantity::DramLatencyDeviation);
  const double OfItsOwn =
      OfOneDram > 0 ? N.get(Quantity::DramNeighborDeviation, OfOneDram,
                            quantityInfo(Quantity::DramLatencyDeviation).Key)
                    : 0;
  const double Mean = ByChance * Level.L2 + Missed * Level.Dram;
  const double OfFirst =
      ByChance * (square(Level.L2 - Mean) + square(OfOneL2)) +
      Missed * (square(Level.Dram - Mean) + square(OfOneDram));
  const double First = Missed > 0 ? (1 - Lines.OfL2) / Missed : 0;
  Out.VarianceCycles2 = square(
      Lines.Waits * (First * std::sqrt(OfFirst) + (1 - First) * OfOneL2));
  Out.CommonVarianceCycles2 =
      square(Lines.Waits * First) * Missed *
      std::max(0.0, square(OfOneDram) - square(OfItsOwn));
  // A load that no visit of L2 is for waits for what another one asked for.
  const double OfVisits =
      Lines.Waits > 0 ? std::min(1.0, P.LineVisitFraction / Lines.Waits) : 1;
  Out.CommonVarianceCycles2 +=
      (1 - OfVisits) * (Out.VarianceCycles2 - Out.CommonVarianceCycles2);
}

static OperationLatency cachedLatency(const MemoryAccess &A,
                                      const AccessProfile &P, Numbers &N) {
  const LevelLatencies Level = levelLatencies(P, N);
  const AwaitedLines Lines = awaitedLines(A, P, N.device());
  const double OfL2 = Lines.OfL2, OfDram = 1 - Lines.OfL2;
  const double Wait = OfL2 * Level.L2 + OfDram * Level.Dram;
  OperationLatency Out;
  Out.Cycles = (1 - Lines.Waits) * Level.L1 + Lines.Waits * Wait;
  // A warp need not outlive its stores where no L1 takes them: the life of a
  // warp that Volkov 2016, section 3.8, adds up for Kepler ends at its exit.
  if (A.Kind == AccessKind::Store && !N.device().get(Quantity::L1HitLatency))
    Out.Cycles = 0;
  Out.L2Share = Lines.Waits * OfL2;
  // DRAM's queue is not the bus's.
  Out.DramShare = P.IsHostMemory ? 0 : Lines.Waits * OfDram;
  Out.SlowestLine = 1 + N.expectedGreatest(Lines.ApartPerWait);

  addVariance(P, Level, Lines, N, Out);
  return Out;
}

/// From the issue of a bulk copy until its barrier or group is done. The
/// numbers of the device are of 1 KiB; beyond, a line comes with each pass
/// through the banks of shared memory (H100: 149 cycles more for 16 KiB from
/// L2, 120 passes more; bulk_copy_latency).
static OperationLatency bulkLatency(const MemoryAccess &A,
                                    const AccessProfile &P, Numbers &N) {
  constexpr double MeasuredBytes = 1024;
  const double OfDram =
      A.Kind == AccessKind::AsyncCopy ? 1 - P.L2HitFraction : 0;
  const double L2 = N.get(Quantity::BulkCopyL2Latency, N.l2HitLatency(),
                          quantityInfo(Quantity::L2HitLatency).Key);
  const double Dram =
      OfDram > 0 ? N.get(Quantity::BulkCopyDramLatency, N.dramLatency(),
                         quantityInfo(Quantity::DramLatency).Key)
                 : 0;
  const double PassesMore =
      P.WavefrontsPerRequest *
      std::max(0.0, 1 - MeasuredBytes / std::max(1u, A.BytesPerLane));
  OperationLatency Out;
  Out.Cycles = (1 - OfDram) * L2 + OfDram * Dram +
               PassesMore * N.get(Quantity::SharedWavefront);
  Out.L2Share = 1 - OfDram;
  Out.DramShare = OfDram;
  return Out;
}

OperationLatency gpuocc::accessLatency(const MemoryAccess &A,
                                       const AccessProfile &P, Numbers &N) {
  OperationLatency Out;
  if (A.Bulk)
    return bulkLatency(A, P, N);
  switch (A.Space) {
  case MemorySpace::Shared: {
    const double Others = std::min(1.0, P.OtherBlocksSectorsPerRequest);
    Out.Cycles = (1 - Others) * sharedCycles(A, P, N);
    if (Others > 0)
      Out.Cycles += Others * otherBlocksLatency(A, P, N);
    return Out;
  }
  case MemorySpace::Constant:
  case MemorySpace::Param:
    Out.Cycles = constantCycles(A, P, N);
    return Out;
  default:
    return isAtomic(A.Kind) ? atomicLatency(P, N) : cachedLatency(A, P, N);
  }
}
