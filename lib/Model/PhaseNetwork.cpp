//===- PhaseNetwork.cpp - Warps that share a scheduler --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/PhaseNetwork.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace gpuocc;
using namespace llvm;

static constexpr double NegativeInfinity =
    -std::numeric_limits<double>::infinity();

/// log of the sum of exp(\p Logs).
static double logSum(ArrayRef<double> Logs) {
  double Most = *std::max_element(Logs.begin(), Logs.end());
  if (Most == NegativeInfinity)
    return Most;
  // What is smaller does not change a sum of at least 1 in double precision.
  constexpr double Smallest = -40;
  double Sum = 0;
  for (double Log : Logs)
    if (Log - Most > Smallest)
      Sum += std::exp(Log - Most);
  return Most + std::log(Sum);
}

/// log(N!). The model asks for the same few values again and again.
static double logFactorial(unsigned N) {
  static constexpr unsigned Tabled = 256;
  static const std::vector<double> Table = [] {
    std::vector<double> Logs = {0};
    for (unsigned I = 1; I != Tabled; ++I)
      Logs.push_back(std::lgamma(I + 1.0));
    return Logs;
  }();
  return N < Tabled ? Table[N] : std::lgamma(N + 1.0);
}

/// log of the product of 1 / mu(1..k), for k up to \p MaxWarps.
static std::vector<double> logServices(const WarpPhase &Phase,
                                       unsigned MaxWarps) {
  // A phase that overlaps others may be shorter than its resource is busy.
  double Busy = std::min(Phase.BusyCycles, Phase.LatencyCycles);
  std::vector<double> Logs = {0};
  for (unsigned K = 1; K <= MaxWarps; ++K)
    Logs.push_back(Logs.back() +
                   std::log(std::max(Phase.LatencyCycles / K, Busy)));
  return Logs;
}

PhaseNetwork::PhaseNetwork(ArrayRef<WarpPhase> Phases, unsigned MaxWarps,
                           ArrayRef<double> CyclesOfLoop)
    : LogPhases(MaxWarps + 1, NegativeInfinity) {
  LogPhases[0] = 0;
  for (const WarpPhase &Phase : Phases) {
    if (!(Phase.LatencyCycles > 0))
      continue;
    LatencyCycles += Phase.LatencyCycles;
    add(logServices(Phase, MaxWarps));
  }
  if (CyclesOfLoop.empty())
    return;
  LatencyCycles += CyclesOfLoop.front();
  std::vector<double> Logs = {0};
  for (unsigned K = 1; K <= MaxWarps; ++K)
    Logs.push_back(
        Logs.back() +
        std::log(CyclesOfLoop[std::min<size_t>(K, CyclesOfLoop.size()) - 1]));
  add(std::move(Logs));
}

void PhaseNetwork::add(std::vector<double> LogServices) {
  // The convolution with what no phase does yet.
  if (LogPhases.back() == NegativeInfinity) {
    LogPhases = std::move(LogServices);
    return;
  }
  std::vector<double> Sums(LogPhases.size());
  for (unsigned N = 0; N != Sums.size(); ++N) {
    SmallVector<double, 65> Terms;
    for (unsigned I = 0; I <= N; ++I)
      Terms.push_back(LogPhases[I] + LogServices[N - I]);
    Sums[N] = logSum(Terms);
  }
  LogPhases = std::move(Sums);
}

double PhaseNetwork::logWays(unsigned Warps, double LogWait) const {
  SmallVector<double, 65> Terms;
  for (unsigned I = 0; I <= Warps; ++I) {
    unsigned Waiting = Warps - I;
    Terms.push_back(LogPhases[I] + (Waiting ? Waiting * LogWait : 0) -
                    logFactorial(Waiting));
  }
  return logSum(Terms);
}

double PhaseNetwork::throughput(double Warps, double WaitCycles) const {
  assert(Warps >= 0 && Warps < LogPhases.size() && "too many warps");
  if (Warps <= 0)
    return 0;
  if (LatencyCycles + WaitCycles <= 0)
    return std::numeric_limits<double>::infinity();
  double LogWait = std::log(std::max(WaitCycles, 0.0));
  unsigned Below = unsigned(Warps);
  double Share = Warps - Below;
  double WaysBelow = logWays(Below, LogWait);
  double Low = Below ? std::exp(logWays(Below - 1, LogWait) - WaysBelow) : 0;
  if (Share == 0)
    return Low;
  double High = std::exp(WaysBelow - logWays(Below + 1, LogWait));
  return Low + Share * (High - Low);
}
