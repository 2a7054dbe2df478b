//===- PhaseNetwork.cpp - Warps that share a scheduler --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/PhaseNetwork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace gpuocc;
using namespace llvm;

/// 1 / mu(k) of \p Phase for k up to \p MaxWarps.
static std::vector<double> services(const WarpPhase &Phase, unsigned MaxWarps) {
  // A phase that overlaps others may be shorter than its resource is busy.
  double Busy = std::min(Phase.BusyCycles, Phase.LatencyCycles);
  std::vector<double> Services;
  for (unsigned K = 1; K <= MaxWarps; ++K)
    Services.push_back(std::max(Phase.LatencyCycles / K, Busy));
  return Services;
}

static double geometricMean(ArrayRef<double> Values) {
  double Logs = 0;
  for (double Value : Values)
    Logs += std::log(Value);
  return std::exp(Logs / Values.size());
}

PhaseNetwork::PhaseNetwork(ArrayRef<WarpPhase> Phases, unsigned MaxWarps,
                           ArrayRef<double> CyclesOfLoop)
    : Ways(MaxWarps + 1) {
  Ways[0] = 1;
  if (MaxWarps == 0)
    return;
  std::vector<std::vector<double>> ServicesOf;
  for (const WarpPhase &Phase : Phases)
    if (Phase.LatencyCycles > 0) {
      LatencyCycles += Phase.LatencyCycles;
      ServicesOf.push_back(services(Phase, MaxWarps));
    }
  if (!CyclesOfLoop.empty()) {
    LatencyCycles += CyclesOfLoop.front();
    std::vector<double> &Last = ServicesOf.emplace_back();
    for (unsigned K = 1; K <= MaxWarps; ++K)
      Last.push_back(
          CyclesOfLoop[std::min<size_t>(K, CyclesOfLoop.size()) - 1]);
  }
  // In the unit of the longest phase the products of services neither grow nor
  // vanish beyond what a double holds.
  double Longest = 0;
  for (ArrayRef<double> Services : ServicesOf)
    Longest = std::max(Longest, geometricMean(Services));
  if (Longest > 0)
    UnitCycles = Longest;
  for (ArrayRef<double> Services : ServicesOf)
    add(Services);
}

void PhaseNetwork::add(ArrayRef<double> Services) {
  SmallVector<double, 65> Products = {1};
  for (double Service : Services)
    Products.push_back(Products.back() * Service / UnitCycles);
  // The convolution with what no phase does yet, from the last to the first:
  // each needs the earlier ones as they were.
  for (size_t N = Ways.size(); N-- > 0;) {
    double Sum = 0;
    for (size_t I = 0; I <= N; ++I)
      Sum += Ways[I] * Products[N - I];
    Ways[N] = Sum;
  }
}

double PhaseNetwork::throughput(double Warps, double WaitCycles) const {
  assert(Warps >= 0 && Warps < Ways.size() && "too many warps");
  if (Warps <= 0)
    return 0;
  WaitCycles = std::max(WaitCycles, 0.0);
  if (LatencyCycles + WaitCycles <= 0)
    return std::numeric_limits<double>::infinity();
  const unsigned Below = unsigned(Warps);
  const double Share = Warps - Below;
  const unsigned Most = Below + (Share > 0 ? 1 : 0);

  // Both factors of the terms of G in a unit that holds the wait too.
  const double Unit = UnitCycles + WaitCycles;
  SmallVector<double, 65> InPhases, Waiting;
  double PhaseScale = 1, Wait = 1;
  for (unsigned I = 0; I <= Most; ++I) {
    InPhases.push_back(Ways[I] * PhaseScale);
    Waiting.push_back(Wait);
    PhaseScale *= UnitCycles / Unit;
    Wait *= WaitCycles / Unit / (I + 1);
  }
  auto G = [&](unsigned N) {
    double Sum = 0;
    for (unsigned I = 0; I <= N; ++I)
      Sum += InPhases[I] * Waiting[N - I];
    return Sum;
  };
  double Here = G(Below);
  double Low = Below ? G(Below - 1) / Here / Unit : 0;
  if (Share == 0)
    return Low;
  double High = Here / G(Below + 1) / Unit;
  return Low + Share * (High - Low);
}
