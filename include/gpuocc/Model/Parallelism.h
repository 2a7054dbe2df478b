//===- Parallelism.h - What one warp has in execution at once ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_PARALLELISM_H
#define GPUOCC_MODEL_PARALLELISM_H

#include <cstdint>
#include <vector>

namespace gpuocc {

struct DeviceModel;
struct ExecutionProfile;
struct KernelFacts;
struct Launch;

/// A step of the longest path of a warp: one operation waits for the result of
/// another. Operations are indices in KernelFacts::Operations.
struct ChainLink {
  uint32_t Producer = ~0u, Consumer = ~0u;
  /// Cycles that the warp waits here, over all executions.
  double Cycles = 0;
  bool operator==(const ChainLink &) const = default;
};

/// Parallelism within one loop.
struct LoopParallelism {
  /// Index in KernelFacts::Loops.
  uint32_t Loop = ~0u;
  /// Cycles of one iteration of a warp alone.
  double CyclesPerIteration = 0;
  /// Instructions of the warp in execution at a time, mean (ILP):
  ///
  ///   sum of latencies / cycles per iteration
  ///
  /// Source: Little's law for instructions, Volkov 2016, sections 3.2 and 3.3.
  double Ilp = 0;
  /// Chains of results that go from iteration to iteration and do not meet.
  /// Counters and pointers that advance by the same step do not count, nor
  /// chains less than half as long as the longest.
  unsigned Chains = 0;
  /// Latency of the longest of them, cycles per iteration.
  double ChainCycles = 0;
  /// The longest one passes through a load: the address depends on what the
  /// iteration before has loaded.
  bool ChainLoads = false;
  /// Loads from global or local memory that are issued before the warp first
  /// waits for one of them.
  unsigned LoadsBeforeWait = 0;
  bool operator==(const LoopParallelism &) const = default;
};

/// What of one warp of a kernel can be in execution at the same time.
struct Parallelism {
  /// As in LoopParallelism, of the whole kernel; the most loads of all its
  /// parts.
  double Ilp = 0;
  unsigned LoadsBeforeWait = 0;
  /// Loops that run, in the order of KernelFacts::Loops.
  std::vector<LoopParallelism> Loops;
  /// The longest path, in the order of issue, where it waits for results.
  std::vector<ChainLink> Chain;

  /// What is known of loop \p Loop, or null.
  const LoopParallelism *loop(uint32_t Loop) const;
  bool operator==(const Parallelism &) const = default;
};

/// The parallelism of a warp of \p Facts with the counts of \p Profile, alone
/// on an SM of \p Device.
Parallelism parallelism(const KernelFacts &Facts,
                        const ExecutionProfile &Profile, const Launch &L,
                        const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_MODEL_PARALLELISM_H
