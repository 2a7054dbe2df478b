//===- Volkov.cpp - the models of Volkov's thesis in closed form
//----------===////
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Volkov.h"
#include <algorithm>
#include <limits>

using namespace gpuocc;

double volkov::groupLatency(const AlphaMix &M) {
  return M.MemLatencyCycles + M.Alpha * M.AluLatencyCycles;
}

double volkov::throughputBound(const AlphaMix &M) {
  double Bound = std::min(M.MemPerCycle, M.IssuePerCycle / (M.Alpha + 1));
  return M.Alpha > 0 ? std::min(Bound, M.AluPerCycle / M.Alpha) : Bound;
}

double volkov::throughput(const AlphaMix &M, double Warps) {
  return std::min(Warps / groupLatency(M), throughputBound(M));
}

double volkov::neededWarps(const AlphaMix &M) {
  return groupLatency(M) * throughputBound(M);
}

double volkov::Contention::latency(double MemPerCycle) const {
  double Cycles = A;
  for (const Term &T : Terms) {
    if (MemPerCycle >= T.C)
      return std::numeric_limits<double>::infinity();
    Cycles += T.B * MemPerCycle / (T.C - MemPerCycle);
  }
  return Cycles;
}

double volkov::refinedThroughput(const AlphaMix &M, const Contention &Memory,
                                 double Warps) {
  auto Allows = [&](double X) {
    return X * (Memory.latency(X) + M.Alpha * M.AluLatencyCycles) <= Warps;
  };
  double Low = 0, High = throughputBound(M);
  if (Allows(High))
    return High;
  for (unsigned I = 0; I != 60; ++I) {
    double Middle = (Low + High) / 2;
    (Allows(Middle) ? Low : High) = Middle;
  }
  return Low;
}

double volkov::refinedNeededWarps(const AlphaMix &M, const Contention &Memory,
                                  double Fraction) {
  double X = Fraction * throughputBound(M);
  return X * (Memory.latency(X) + M.Alpha * M.AluLatencyCycles);
}
