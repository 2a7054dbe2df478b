//===- HongKim.cpp - the model of Hong and Kim 2009
//-----------------------===////
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HongKim.h"
#include <algorithm>

using namespace gpuocc;

static double computationCycles(const AlphaMix &M) {
  return (M.Alpha + 1) / M.AluPerCycle;
}

double hongkim::memoryWarpParallelism(const AlphaMix &M, double Warps) {
  return std::min(Warps, M.MemLatencyCycles * M.MemPerCycle);
}

double hongkim::computationWarpParallelism(const AlphaMix &M, double Warps) {
  double Computation = computationCycles(M);
  return std::min(Warps, (M.MemLatencyCycles + Computation) / Computation);
}

double hongkim::throughput(const AlphaMix &M, double Warps) {
  double Mwp = memoryWarpParallelism(M, Warps);
  double Cwp = computationWarpParallelism(M, Warps);
  // Equation 22: neither memory nor computation is saturated.
  if (Mwp == Warps && Cwp == Warps)
    return Warps / (M.MemLatencyCycles + computationCycles(M));
  // Equation 23: memory-bound, MWP accesses in flight.
  if (Cwp >= Mwp)
    return Mwp / M.MemLatencyCycles;
  // Equation 24: computations of all warps follow each other.
  return 1 / computationCycles(M);
}
