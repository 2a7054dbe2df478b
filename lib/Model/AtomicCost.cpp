//===- AtomicCost.cpp - What a global atomic costs L2 ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicCost.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

/// Bytes of a word of the atomics that the database holds rates of.
static constexpr double MeasuredWordBytes = 4;

/// Of every GPU since Fermi.
static constexpr double DefaultSectorBytes = 32;

/// The number for reductions, or that for atomics where only that is known.
static Known<double> either(const DeviceModel &D, bool Returns, Quantity Atomic,
                            Quantity Reduction) {
  Known<double> Own = D.get(Returns ? Atomic : Reduction);
  return Own ? Own : D.get(Atomic);
}

double gpuocc::atomicCycles(const MemoryAccess &A, const AccessProfile &P,
                            const DeviceModel &D) {
  const bool Returns = A.Kind == AccessKind::Atomic;
  Known<double> Distinct = D.get(Returns ? Quantity::AtomicGlobalDistinct
                                         : Quantity::RedGlobalDistinct);
  Known<double> SameAddress =
      either(D, Returns, Quantity::AtomicGlobalSameAddress,
             Quantity::RedGlobalSameAddress);
  Known<double> OneLine = either(D, Returns, Quantity::AtomicGlobalOneLine,
                                 Quantity::RedGlobalOneLine);
  Known<double> NumSms = D.get(Quantity::SmCount);
  // The rates were measured with neighbouring words of 4 bytes: a turn each
  // for the eight of a sector.
  const double LanesPerTurn =
      D.get(Quantity::L1SectorBytes).valueOr(DefaultSectorBytes) /
      MeasuredWordBytes;
  const double OnOneWord = std::max(1.0, P.LanesPerAddress);
  const double Turns = std::max(P.TurnsPerRequest, OnOneWord);
  double Cycles = Distinct ? Turns * LanesPerTurn / *Distinct : 0;
  if (!P.GridSectors || *P.GridSectors <= 0 || !SameAddress || !NumSms)
    return Cycles;
  // Lanes of a request that meet on a sector go one by one where nothing else
  // is known.
  double Slices = *P.GridSectors;
  double InOneSlice = std::max(1.0, P.ActiveLanes) / *SameAddress;
  if (OneLine)
    InOneSlice =
        std::max(OnOneWord / *SameAddress, Turns * LanesPerTurn / *OneLine);
  if (Known<double> SliceBytes = D.get(Quantity::L2SliceBytes))
    Slices = std::min(
        Slices, std::ceil(P.GridSpanBytes.valueOr(*SliceBytes) / *SliceBytes));
  if (Distinct && OneLine)
    Slices = std::min(Slices, std::max(1.0, *Distinct * *NumSms / *OneLine));
  return std::max(Cycles, *NumSms * InOneSlice / Slices);
}
