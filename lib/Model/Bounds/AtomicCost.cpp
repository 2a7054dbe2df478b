//===- AtomicCost.cpp - What a global atomic costs L2 ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/AtomicCost.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

namespace {

/// Lane operations a cycle: of the chip on one word and on the words of a line,
/// of an SM on words far apart; and bytes of a word that they were measured on.
struct AtomicRates {
  std::optional<double> SameAddress, OneLine, Distinct;
  double WordBytes = 4;
  /// Compare-and-swaps on the words of a line. Their turns take as long as
  /// those of other atomics, and their lanes longer.
  std::optional<double> Swaps = std::nullopt;
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
  auto Replace = [&](std::optional<double> &Rate, Quantity Q) {
    if (std::optional<double> Own = D.get(Q))
      Rate = Own;
  };
  // Single halves are swapped with the word that they lie in.
  if (A.AtomicOp == "cas" || (A.OnFloats && A.BytesPerLane == 2)) {
    R.Swaps = D.get(Quantity::AtomicGlobalSwapOneLine);
    Replace(R.Distinct, Quantity::AtomicGlobalSwapDistinct);
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

AtomicCycles gpuocc::atomicCycles(const MemoryAccess &A, const AccessProfile &P,
                                  Numbers &N) {
  const auto [SameAddress, OneLine, Distinct, WordBytes, Swaps] = ratesOf(A, N);
  const FlatDevice &D = N.device();
  std::optional<double> NumSms = D.get(Quantity::SmCount);
  // The rates were measured with neighbouring words: a turn for those of a
  // sector.
  const double LanesPerTurn = N.sectorBytes() / WordBytes;
  const double OnOneWord = std::max(1.0, P.LanesPerAddress);
  const double Turns = std::max(P.TurnsPerRequest, OnOneWord);
  AtomicCycles Cycles;
  Cycles.Busy = Distinct ? Turns * LanesPerTurn / *Distinct : 0;
  if (!P.GridSectors || *P.GridSectors <= 0 || !SameAddress || !NumSms)
    return Cycles;
  double Slices = *P.GridSectors;
  if (std::optional<double> SliceBytes = D.get(Quantity::L2SliceBytes))
    Slices = std::min(
        Slices, std::ceil(P.GridSpanBytes.valueOr(*SliceBytes) / *SliceBytes));
  if (const std::optional<double> OfLine = Swaps ? Swaps : OneLine;
      Distinct && OfLine)
    Slices = std::min(Slices, std::max(1.0, *Distinct * *NumSms / *OfLine));
  // Lanes of a request that meet on a sector go one by one where nothing else
  // is known.
  const double InOneSlice = OneLine
                                ? Turns * LanesPerTurn / *OneLine
                                : std::max(1.0, P.ActiveLanes) / *SameAddress;
  const double Swapped = Swaps ? std::max(1.0, P.ActiveLanes) / *Swaps : 0;
  Cycles.Busy =
      std::max(Cycles.Busy, *NumSms * std::max(InOneSlice, Swapped) / Slices);
  // Other words are served meanwhile, of which each sector has at least one.
  const double Words = std::max(Slices, *P.GridSectors);
  Cycles.OneByOne = *NumSms * OnOneWord / *SameAddress / Words;
  return Cycles;
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
