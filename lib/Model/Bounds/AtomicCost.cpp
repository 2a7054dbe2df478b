//===- AtomicCost.cpp - What a global atomic costs L2 ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/AtomicCost.h"
#include "Bounds/L2Slices.h"
#include "gpuocc/Kernel/AccessCopies.h"
#include "gpuocc/Model/SweepsInStep.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

namespace {

/// Lane operations a cycle: of the chip on one word and on the words of a line,
/// of an SM on words far apart; and bytes of a word that they were measured on.
struct AtomicRates {
  std::optional<double> SameAddress, OneLine, Distinct;
  double WordBytes = 4;
  /// Cycles of a slice for a turn of one lane; that of additions of integers.
  std::optional<double> LoneTurn = std::nullopt;
  bool Swaps = false;
};

} // namespace

/// The number for reductions, or that for atomics where only that is known.
static std::optional<double> either(Numbers &N, bool Returns, Quantity Atomic,
                                    Quantity Reduction) {
  if (!Returns && (N.device().get(Reduction) || N.device().get(Atomic))) {
    const std::optional<double> Own =
        N.find(Reduction, quantityInfo(Atomic).Key);
    return Own ? Own : N.device().get(Atomic);
  }
  return N.find(Atomic, "none");
}

/// The rates of the form that \p A has in machine code. Where one is not
/// known, that of additions of integers.
static AtomicRates ratesOf(const MemoryAccess &A, Numbers &N) {
  const bool Returns = A.Kind == AccessKind::Atomic;
  const FlatDevice &D = N.device();
  AtomicRates R = {either(N, Returns, Quantity::AtomicGlobalSameAddress,
                          Quantity::RedGlobalSameAddress),
                   either(N, Returns, Quantity::AtomicGlobalOneLine,
                          Quantity::RedGlobalOneLine),
                   N.find(Returns ? Quantity::AtomicGlobalDistinct
                                  : Quantity::RedGlobalDistinct,
                          "none")};
  if (R.SameAddress)
    R.LoneTurn = 1 / *R.SameAddress;
  auto Replace = [&](std::optional<double> &Rate, Quantity Q) {
    if (std::optional<double> Own = D.get(Q))
      Rate = Own;
  };
  // Single halves are swapped with the word that they lie in.
  if (A.AtomicOp == "cas" || (A.OnFloats && A.BytesPerLane == 2)) {
    Replace(R.Distinct, Quantity::AtomicGlobalSwapDistinct);
    Replace(R.OneLine, Quantity::AtomicGlobalSwapOneLine);
    R.Swaps = true;
    return R;
  }
  if (!A.OnFloats)
    return R;
  Replace(R.SameAddress, Quantity::AtomicGlobalFloatSameAddress);
  if (A.BytesPerLane == 8 && D.get(Quantity::AtomicGlobalDoubleOneLine) &&
      D.get(Quantity::AtomicGlobalDoubleDistinct)) {
    R.OneLine = D.get(Quantity::AtomicGlobalDoubleOneLine);
    R.Distinct = D.get(Quantity::AtomicGlobalDoubleDistinct);
    R.WordBytes = 8;
  }
  return R;
}

bool gpuocc::sweepsInStep(const AccessProfile &P) {
  constexpr double MostOfThem = 0.5;
  return P.GridSectors && *P.GridSectors > 1 && P.GridSpanBytes &&
         P.IsInOrder && P.ExecutionsPerWarp > 1 &&
         P.ExecutionsPerWarp * P.SectorsPerRequest >=
             MostOfThem * *P.GridSectors;
}

/// Waves of blocks whose requests are at L2 or on their way: nobody waits for a
/// reduction, so that blocks leave before theirs are done.
///
/// Source: H200, sums of 256 to 4096 rows 4 and 32 bytes apart (hot-lines.csv
/// of 2026-11-28): reductions of one lane reach the rate of 2.3 to 3.9 times
/// the words of a wave, those of 32 lanes that of 0.8 to 1.4 times as many,
/// since fewer of them fit the queues. Nothing says where between they change.
static double wavesUnderWay(const MemoryAccess &A, const AccessProfile &P) {
  constexpr double OfOneLane = 3, FewLanes = 2;
  return A.Kind == AccessKind::Reduction && P.ActiveLanes < FewLanes ? OfOneLane
                                                                     : 1;
}

/// Warps that each pass over all words in the same order stay near each other:
/// their words at a time are a quarter of those that one of them passes over.
///
/// Source: H100, 80 to 1056 blocks that add to 1024 to 4096 words, all lanes to
/// one (atomics.csv of 2026-11-27, sweep and sweep-no-load): the rate is that
/// of 22 to 25 % of the words side by side. Warps that start apart reach that
/// of all words; nothing tells them from others here.
///
/// Blocks start in the order of their numbers, so that those that run together
/// change the words of a stretch of the grid: sums of 4096 rows, 32 lanes to a
/// word and eight blocks to a row, take 2470 us on an H200, predicted 2880 from
/// the 528 bytes of a wave and 235 from the 16 KB of all (test/golden/advice,
/// rowatom).
static Places placesAtATime(const MemoryAccess &A, const AccessProfile &P,
                            Numbers &N) {
  constexpr double WindowShare = 0.25;
  Places All = {std::max(1.0, *P.GridSectors), std::nullopt};
  if (!P.GridSpanBytes)
    return All;
  All.SpanBytes = *P.GridSpanBytes;
  // Of a grid of several waves, the words of the blocks that run together.
  if (P.WaveSectors && P.WaveSpanBytes && N.has(Mechanism::HotLines)) {
    const double Waves = wavesUnderWay(A, P);
    if (Waves * *P.WaveSectors < All.Sectors)
      All = {std::max(1.0, Waves * *P.WaveSectors), Waves * *P.WaveSpanBytes};
  }
  if (!sweepsInStep(P))
    return All;
  const double OfWarp = P.ExecutionsPerWarp * A.BytesPerLane *
                        std::max(1.0, P.DistinctAddressesPerRequest);
  const double Sweeps =
      OfWarp / std::min(*All.SpanBytes, All.Sectors * N.sectorBytes());
  const double Share = std::min(1.0, WindowShare * std::max(1.0, Sweeps));
  return {std::max(1.0, All.Sectors * Share), *All.SpanBytes * Share};
}

/// Share of \p Turns, drawn from \p Sectors, that find another turn of the
/// request in their pair of sectors.
static double shareInMetPairs(double Turns, double Sectors) {
  const double Pairs = std::max(1.0, Sectors / 2);
  const double Reached = Pairs * (1 - std::pow(1 - 1 / Pairs, Turns));
  return std::max(0.0, 1 - Reached / Turns);
}

/// Cycles of one slice for \p Turns of \p Lanes. The rate of a line is that of
/// turns of \p LanesPerTurn; \p FullLanes fill a sector.
/// \p Idle: the share of slices that the words leave idle; where none is, the
/// ways to them bound, whatever the turns.
static double turnCycles(const AtomicRates &R, double Lanes, double Turns,
                         double LanesPerTurn, double FullLanes, double Sectors,
                         double Idle) {
  const double Full = LanesPerTurn / *R.OneLine;
  double Lone = R.LoneTurn.value_or(Full);
  if (Lone > Full)
    Lone = Full + (Lone - Full) * Idle;
  if (R.Swaps && Sectors > 1)
    Lone += (Full - Lone) * shareInMetPairs(Turns, Sectors);
  const double Filled =
      FullLanes > 1
          ? std::clamp((Lanes / Turns - 1) / (FullLanes - 1), 0.0, 1.0)
          : 1;
  return Turns * (Lone + (Full - Lone) * Filled);
}

AtomicCycles gpuocc::atomicCycles(const MemoryAccess &A, const AccessProfile &P,
                                  Numbers &N) {
  const double Lanes = std::max(1.0, P.ActiveLanes);
  const double OnOneWord = std::max(1.0, P.LanesPerAddress);
  const AtomicRates R = ratesOf(A, N);
  const FlatDevice &D = N.device();
  std::optional<double> NumSms = D.get(Quantity::SmCount);
  // The rates were measured with neighbouring words: a turn for those of a
  // sector.
  const double LanesPerTurn = N.sectorBytes() / R.WordBytes;
  const double Turns = std::max(P.SerializedPasses, OnOneWord);
  AtomicCycles Cycles;
  Cycles.Busy = R.Distinct ? Turns * LanesPerTurn / *R.Distinct : 0;
  Cycles.BusyInAllSlices = Cycles.Busy;
  if (!P.GridSectors || *P.GridSectors <= 0 || !R.SameAddress || !NumSms)
    return Cycles;
  std::optional<double> All;
  if (R.OneLine && R.Distinct)
    All = std::max(1.0, *R.Distinct * *NumSms / *R.OneLine);
  const Places At = placesAtATime(A, P, N);
  const double Slices = slicesOf(A.Kind == AccessKind::Atomic, At, All, D);
  // Lanes of a request that meet on a sector go one by one where nothing else
  // is known.
  double InOneSlice = Lanes / *R.SameAddress;
  if (R.OneLine)
    InOneSlice = turnCycles(
        R, Lanes, Turns, LanesPerTurn,
        N.sectorBytes() / std::max<double>(R.WordBytes, A.BytesPerLane),
        At.Sectors, All ? std::max(0.0, 1 - Slices / *All) : 1);
  Cycles.Busy = std::max(Cycles.Busy, *NumSms * InOneSlice / Slices);
  // One SM alone was measured with sums: swaps wait for each other there, too.
  if (R.Swaps)
    Cycles.BusyInAllSlices = Cycles.Busy;
  // The turns of a sector wait for each other, other sectors are served
  // meanwhile.
  Cycles.OneByOne =
      *NumSms * Turns / *R.SameAddress / std::max(Slices, At.Sectors);
  return Cycles;
}

AtomicCycles gpuocc::atomicCycles(const KernelFacts &Facts,
                                  const ExecutionProfile &Profile,
                                  uint32_t Index, Numbers &N) {
  const MemoryAccess &A = Facts.Accesses[Index];
  AccessProfile P = Profile.Accesses[Index];
  if (!P.GridSectors || !P.GridSpanBytes || P.DrawnAddresses)
    return atomicCycles(A, P, N);
  double Executions = 0;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const AccessProfile &Of = Profile.Accesses[I];
    if (Of.RequestsPerWarp > 0 && Of.GridSectors && Of.GridSpanBytes &&
        areCopies(Facts, A, Facts.Accesses[I]))
      Executions += Of.ExecutionsPerWarp;
  }
  if (P.ExecutionsPerWarp > 1)
    P.ExecutionsPerWarp = std::max(P.ExecutionsPerWarp, Executions);
  return atomicCycles(A, P, N);
}

double gpuocc::storeTurnCycles(const AccessProfile &P, Numbers &N) {
  if (!P.GridSectors || *P.GridSectors <= 0)
    return 0;
  std::optional<double> PerCycle =
      N.find(Quantity::StoresToOneSector,
             quantityInfo(Quantity::RedGlobalSameAddress).Key);
  if (!PerCycle)
    PerCycle = either(N, /*Returns=*/false, Quantity::AtomicGlobalSameAddress,
                      Quantity::RedGlobalSameAddress);
  const std::optional<double> NumSms = N.device().get(Quantity::SmCount);
  if (!PerCycle || !NumSms)
    return 0;
  return *NumSms * P.SectorsPerRequest * (1 - P.MergedStoreFraction) /
         *PerCycle / *P.GridSectors;
}
