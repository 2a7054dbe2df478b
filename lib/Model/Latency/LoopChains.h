//===- LoopChains.h - Results that go from turn to turn ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_LOOPCHAINS_H
#define GPUOCC_LIB_MODEL_LATENCY_LOOPCHAINS_H

#include <cstdint>
#include <vector>

namespace gpuocc {

class LatencyGraph;
struct KernelFacts;

/// Results of one iteration that the same operations of the next one use: a
/// cycle of the graph of dependencies through phis of the header.
struct LoopChain {
  /// Latency from one iteration to the next.
  double Cycles = 0;
  /// It passes through a load.
  bool Loads = false;
  /// It advances by the same step in every iteration: a counter or a pointer.
  bool IsInduction = false;
};

/// The chains of loop \p Loop, longest first. Chains of more than 64 phis are
/// not looked at.
std::vector<LoopChain> loopChains(const KernelFacts &Facts,
                                  const LatencyGraph &Graph, uint32_t Loop);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_LOOPCHAINS_H
