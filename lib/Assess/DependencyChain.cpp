//===- DependencyChain.cpp - A chain of dependent instructions ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathByLine.h"
#include "Price.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// A line that makes up less of the latency is not worth a remark: even
/// halving it gains under 1.15x.
static constexpr double SmallestShare = 0.25;

/// A result that is not there yet, as opposed to a pipe that is busy: more
/// independent work helps.
static bool waitsForOperands(const LatencyStep &Step) {
  return StringRef(Step.Why).contains("operands");
}

void gpuocc::findDependencyChain(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  double Latency = P.Latency.CyclesPerWarp;
  if (P.NearBound || Latency <= 0 || P.WarpsPerCycle <= 0)
    return;
  for (const PathLine &Line :
       pathByLine(C.Facts, P.Latency, waitsForOperands)) {
    double Share = Line.Cycles / Latency;
    if (Share < SmallestShare)
      break;
    FindingWriter W(RuleId::DependencyChain,
                    locationOrKernel(C.Facts, Line.Location));
    W << "a chain of dependent instructions passes here: "
      << named("ChainCycles", formatNumber(Line.Cycles)) << " of the "
      << named("Latency", formatNumber(Latency)) << " cycles of a warp";
    W << "; two independent chains would halve them";
    // Throughput of n warps is n over their latency until a bound is reached
    // (Volkov 2016, section 3.5).
    double Warps = P.WarpsPerCycle * Latency;
    double Faster = Warps / (Latency - Line.Cycles / 2);
    double Bound = P.Bounds.empty() || P.Bounds.front().CyclesPerWarp <= 0
                       ? Faster
                       : 1 / P.Bounds.front().CyclesPerWarp;
    Price Price;
    Price.Gain = std::min(Faster, Bound) / P.WarpsPerCycle;
    if (Faster >= Bound && !P.Bounds.empty())
      Price.BoundAfter = P.Bounds.front().What;
    addPrice(W, Price);
    Out.push_back(std::move(W.finding()));
  }
}
