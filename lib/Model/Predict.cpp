//===- Predict.cpp - The model --------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Predict.h"
#include "GridTime.h"
#include "ThroughputBounds.h"
#include "gpuocc/Model/Occupancy.h"
#include <algorithm>
#include <cmath>

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
  P.OccupancyLimiter = occupancyLimiterKey(O.limiter()).str();
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

Prediction gpuocc::predict(const KernelFacts &Facts,
                           const ExecutionProfile &Profile, const Launch &L,
                           const DeviceModel &Device) {
  Numbers N(Device);
  Prediction P;
  fillOccupancy(Facts, L, Device, P);
  unsigned WarpsPerBlock = L.warpsPerBlock();

  P.Mix = instructionMix(Facts, Profile);
  for (const ClassCount &C : P.Mix)
    P.InstructionsPerWarp += C.PerWarp;
  fillThroughputBounds(Facts, Profile, WarpsPerBlock, N, P);

  WarpLatency Warp(Facts, Profile, WarpsPerBlock, N);
  LoadedLatency Loaded(Warp);
  P.Latency.ReplacementCycles = N.get(Quantity::BlockReplacement, 300, "sm_70");
  P.Latency.CyclesPerWarp = Loaded.unloaded() + P.Latency.ReplacementCycles;
  P.Latency.Path = Warp.criticalPath();

  Saturation Throughput(Loaded, P, P.Latency.ReplacementCycles, N);
  P.Needed = neededWarps(Throughput, Loaded, P.Latency.ReplacementCycles);

  unsigned MaxWarps = P.OccupancyFraction > 0
                          ? std::lround(P.WarpsPerSm / P.OccupancyFraction)
                          : 64;
  for (unsigned Warps = 1; Warps <= MaxWarps; ++Warps)
    P.Curve.push_back({double(Warps), Throughput.warpsPerCycle(Warps)});

  P.ActiveWarpsPerSm = P.WarpsPerSm;
  if (L.Grid && P.BlocksPerSm) {
    GridShape Grid{double(L.Grid->Value.count()), WarpsPerBlock, P.BlocksPerSm};
    P.ActiveWarpsPerSm = activeWarpsPerSm(Grid, N);
    P.Time = gridTime(Grid, Throughput, N);
  }
  P.WarpsPerCycle = Throughput.warpsPerCycle(P.ActiveWarpsPerSm);
  // On the rising side of the curve latency decides, near its top the bound.
  bool NearBound = P.WarpsPerCycle >= 0.9 * Throughput.bound();
  P.What = NearBound ? Mode::ThroughputBound : Mode::LatencyBound;
  P.Limiter = NearBound && !P.Bounds.empty() ? P.Bounds.front().What
                                             : Resource::Latency;
  P.Borrowed.insert(P.Borrowed.end(), N.borrowed().begin(), N.borrowed().end());
  return P;
}
