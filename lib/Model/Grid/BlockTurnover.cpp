//===- BlockTurnover.cpp - Block slots that wait for their next block -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid/BlockTurnover.h"
#include "Numbers/Numbers.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

BlockTurnover::BlockTurnover(const Saturation &Throughput,
                             unsigned WarpsPerBlock, Numbers &N)
    : Throughput(Throughput), WarpsPerBlock(WarpsPerBlock), Sms(N.smCount()),
      LaunchCycles(N.get(Quantity::BlockLaunch)) {}

/// Blocks per cycle of \p Slots slots that live \p LifeCycles and then queue
/// for a server of \p ServiceCycles.
static double slotsPerCycle(double Slots, double LifeCycles,
                            double ServiceCycles) {
  double Queue = 0, Rate = 0;
  for (unsigned Count = 1; Count <= unsigned(std::ceil(Slots)); ++Count) {
    double Present = std::min<double>(Count, Slots);
    double Wait = ServiceCycles * (1 + Queue);
    Rate = Present / (LifeCycles + Wait);
    Queue = Rate * Wait;
  }
  return Rate;
}

double BlockTurnover::warpsPerCycle(double Warps) const {
  double X = Throughput.warpsPerCycle(Warps);
  if (LaunchCycles <= 0 || X <= 0)
    return X;
  // Fewer running warps live shorter where load makes them slow; a few rounds
  // settle the two.
  double Running = Warps, Unqueued = X;
  for (unsigned Round = 0; Round != 4; ++Round) {
    // The latency at an empty queue includes one start of a block.
    double Service = LaunchCycles / Sms;
    if (Round)
      Unqueued = Throughput.warpsPerCycle(Running);
    double Life = std::max(0.0, Running / Unqueued - Service);
    X = WarpsPerBlock / Sms *
        slotsPerCycle(Sms * Warps / WarpsPerBlock, Life, Service);
    Running = std::clamp(X * Life, 0.01 * Warps, Warps);
  }
  return X;
}
