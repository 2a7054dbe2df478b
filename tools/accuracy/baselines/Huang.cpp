//===- Huang.cpp - the model of Huang et al. 2014
//-------------------------===////
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Huang.h"
#include <algorithm>

using namespace gpuocc;

double huang::multithreadingCpi(const AlphaMix &M, Policy P, double Warps) {
  double Alone = M.MemLatencyCycles + M.Alpha * M.AluLatencyCycles;
  double IssueProbability = (1 + M.Alpha) / Alone;
  auto NotOverlapped = [&](double Latency) {
    double Stall = Latency - 1;
    return std::max(0.0, std::min(IssueProbability * Stall, 1.0) * (Warps - 1) -
                             Stall);
  };
  double Cycles = Alone;
  if (P == Policy::GreedyThenOldest)
    Cycles += NotOverlapped(M.MemLatencyCycles) +
              M.Alpha * NotOverlapped(M.AluLatencyCycles);
  return Cycles / (Warps * (1 + M.Alpha));
}

double huang::bandwidthDelay(const AlphaMix &M, const Bandwidth &B,
                             double Warps) {
  double Requests = Warps * B.TransactionsPerAccess * B.Cores;
  double ArrivalRate = Requests / M.MemLatencyCycles;
  double Utilization = ArrivalRate * B.ServiceCycles;
  double Queueing =
      ArrivalRate * B.ServiceCycles * B.ServiceCycles / (2 * (1 - Utilization));
  return std::min(Queueing, B.ServiceCycles * Requests / 2);
}

double huang::contendedCpi(const AlphaMix &M, Policy P, const Bandwidth &B,
                           double Warps) {
  return multithreadingCpi(M, P, Warps) +
         bandwidthDelay(M, B, Warps) / (1 + M.Alpha);
}

double huang::throughput(const AlphaMix &M, Policy P, double Schedulers,
                         double Warps) {
  double Cpi = multithreadingCpi(M, P, Warps / Schedulers);
  return Schedulers / (Cpi * (1 + M.Alpha));
}

double huang::contendedThroughput(const AlphaMix &M, Policy P,
                                  const Bandwidth &B, double Schedulers,
                                  double Warps) {
  double Cpi = contendedCpi(M, P, B, Warps / Schedulers);
  return Schedulers / (Cpi * (1 + M.Alpha));
}
