//===- GridTime.cpp - Time of a whole grid --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid/GridTime.h"
#include "Grid/BlockTurnover.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

/// Cycles that \p Blocks blocks take, started together and all resident.
static double residentCycles(double Blocks, const GridShape &Grid,
                             const Saturation &Throughput, double Sms) {
  if (Blocks <= 0)
    return 0;
  // Blocks go to the emptiest SM first; the fullest one finishes last, while
  // the chip's memory sees the mean.
  double Fullest = std::max(std::ceil(Blocks / Sms),
                            std::min(std::ceil(Blocks / Sms * Grid.OnFullestSm),
                                     double(Grid.BlocksPerSm)));
  Fullest *= Grid.WarpsPerBlock;
  double Mean = Blocks / Sms * Grid.WarpsPerBlock;
  return Fullest / Throughput.warpsPerCycle(Fullest, Mean);
}

TimeEstimate gpuocc::gridTime(const GridShape &Grid,
                              const WaveThroughput &Throughput,
                              const FillTime &Fill, Numbers &N) {
  double Sms = N.smCount();
  TimeEstimate T;
  T.Waves = Grid.Blocks / Grid.PerWave;
  double FullWaves = std::floor(T.Waves);
  double Tail = residentCycles(Grid.Blocks - FullWaves * Grid.PerWave, Grid,
                               Throughput.Last, Sms);
  // Behind the first wave a block waits for the one before it to end, and for
  // the unit that starts blocks.
  double Cycles = 0;
  if (FullWaves > 0) {
    double Resident = double(Grid.BlocksPerSm) * Grid.WarpsPerBlock;
    // SMs that clusters leave over take nothing of the chip's memory.
    double Mean = Grid.PerWave / Sms * Grid.WarpsPerBlock;
    auto Wave = [&](const Saturation &Of) {
      double AllFull =
          Resident /
          BlockTurnover(Of, Grid.WarpsPerBlock, N).warpsPerCycle(Resident);
      return Mean < Resident ? AllFull * Of.warpsPerCycle(Resident) /
                                   Of.warpsPerCycle(Resident, Mean)
                             : AllFull;
    };
    Cycles = FullWaves > 1 || Tail > 0 ? Wave(Throughput.Replaced)
                                       : Wave(Throughput.Last);
    Cycles += (FullWaves - 1) * Wave(Throughput.Replacing);
  }
  T.LaunchNs = N.get(Quantity::LaunchOverhead);
  T.TailNs = FullWaves > 0 ? Tail / N.clockGhz() : 0;
  Cycles += N.get(Quantity::ColdStart);
  double Fullest = activeWarpsPerSm(Grid, N);
  Cycles += Fill.cycles(
      Fullest, std::min(Fullest, Grid.Blocks * Grid.WarpsPerBlock / Sms));
  T.Ns = (Cycles + Tail) / N.clockGhz() + T.LaunchNs;
  return T;
}

double gpuocc::activeWarpsPerSm(const GridShape &Grid, Numbers &N) {
  double Resident =
      std::min<double>(Grid.BlocksPerSm, std::ceil(Grid.Blocks / N.smCount()));
  return Resident * Grid.WarpsPerBlock;
}
