//===- Sim.cpp - the model of Sim et al. 2012
//-----------------------------===////
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim.h"
#include <algorithm>

using namespace gpuocc;

/// Cycles per instruction of the arithmetic units.
static double arithmeticTime(const AlphaMix &M, double Warps) {
  return std::max(M.AluLatencyCycles / Warps, 1 / M.AluPerCycle);
}

double sim::memoryWarpParallelism(const AlphaMix &M, double Warps) {
  return std::min(Warps, M.MemLatencyCycles * M.MemPerCycle);
}

double sim::computationWarpParallelism(const AlphaMix &M, double Warps) {
  double Period = (M.Alpha + 1) * arithmeticTime(M, Warps);
  return std::min(Warps, 1 + M.MemLatencyCycles / Period);
}

double sim::computationCycles(const AlphaMix &M, double Warps) {
  return (M.Alpha + 1) * Warps * arithmeticTime(M, Warps);
}

double sim::memoryCycles(const AlphaMix &M, double Warps) {
  double InFlight =
      std::min(memoryWarpParallelism(M, Warps),
               std::max(1.0, computationWarpParallelism(M, Warps) - 1));
  return Warps * M.MemLatencyCycles / InFlight;
}

double sim::throughput(const AlphaMix &M, double Warps) {
  double Computation = computationCycles(M, Warps);
  double Memory = memoryCycles(M, Warps);
  if (computationWarpParallelism(M, Warps) <= memoryWarpParallelism(M, Warps))
    Memory += Computation / Warps;
  return Warps / std::max(Computation, Memory);
}
