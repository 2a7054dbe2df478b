//===- Saturation.cpp - Throughput over occupancy -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Saturation.h"
#include "gpuocc/Model/Worksheet.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

double LoadedLatency::sampleDelay(unsigned I) {
  return I ? 50.0 * (1 << (2 * (I - 1))) : 0; // 0, 50, 200, ... 51200
}

LoadedLatency::LoadedLatency(const WarpLatency &Warp)
    : Unloaded(Warp.cycles(MemoryDelay())) {
  for (unsigned I = 1; I != NumSamples; ++I) {
    OfL2[I] = Warp.cycles({sampleDelay(I), 0}) - Unloaded;
    OfDram[I] = Warp.cycles({0, sampleDelay(I)}) - Unloaded;
  }
}

double LoadedLatency::interpolate(const double (&Values)[NumSamples],
                                  double Delay) {
  unsigned I = 1;
  while (I + 1 < NumSamples && sampleDelay(I) < Delay)
    ++I;
  double X0 = sampleDelay(I - 1), X1 = sampleDelay(I);
  double Slope = (Values[I] - Values[I - 1]) / (X1 - X0);
  return Values[I - 1] + Slope * (Delay - X0);
}

double LoadedLatency::cycles(const MemoryDelay &Delay) const {
  return Unloaded + interpolate(OfL2, Delay.L2) +
         interpolate(OfDram, Delay.Dram);
}

Saturation::Saturation(const LoadedLatency &Latency, const Prediction &P,
                       double ReplacementCycles, Numbers &N)
    : Latency(Latency), Bound(warpThroughputBound(P.Bounds)),
      ReplacementCycles(ReplacementCycles), L2BytesPerWarp(P.L2BytesPerWarp),
      DramBytesPerWarp(P.DramReadBytesPerWarp + P.DramWriteBytesPerWarp) {
  if (const ContentionFit *Fit = N.device().contention("l2_read"))
    L2Fit = *Fit, HasL2Fit = true;
  if (const ContentionFit *Fit = N.device().contention("dram_read"))
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
  return Latency.cycles(Delay) + ReplacementCycles;
}

double Saturation::warpsPerCycle(double Warps, double ChipWarps) const {
  if (Warps <= 0)
    return 0;
  double Share = ChipWarps < 0 ? 1 : ChipWarps / Warps;
  // latencyAt grows with x, so x - warps / latency(x) has one zero.
  double Low = 0, High = std::min(Bound, Warps / latencyAt(0));
  if (Warps / latencyAt(High * Share) >= High)
    return High;
  for (unsigned I = 0; I != 60; ++I) {
    double Mid = (Low + High) / 2;
    (Warps / latencyAt(Mid * Share) >= Mid ? Low : High) = Mid;
  }
  return Low;
}

double Saturation::neededWarps(double Fraction) const {
  if (!std::isfinite(Bound))
    return 1;
  double X = Fraction * Bound;
  return X * latencyAt(X);
}
