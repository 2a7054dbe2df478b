//===- AlphaMix.h - the mix that models are compared on ---------*- C++ -*-===//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_BASELINES_ALPHAMIX_H
#define GPUOCC_TOOLS_ACCURACY_BASELINES_ALPHAMIX_H

namespace gpuocc {

/// The synthetic kernel of Volkov 2016, section 4.1, on one GPU: groups of one
/// memory instruction and Alpha arithmetic instructions, endlessly repeated,
/// each instruction using the result of the one before.
///
/// "Memory" and "arithmetic" are roles: section 4.7 puts special functions and
/// shared loads in the place of the memory instruction. Numbers are of one SM;
/// IPC means warp instructions per cycle.
struct AlphaMix {
  /// Arithmetic instructions per memory instruction; > 0 for the models that
  /// divide by it.
  double Alpha = 0;
  double MemLatencyCycles = 0;
  /// Highest rate of memory instructions, IPC.
  double MemPerCycle = 0;
  double AluLatencyCycles = 0;
  /// Highest rate of arithmetic instructions without instruction-level
  /// parallelism, IPC.
  double AluPerCycle = 0;
  double IssuePerCycle = 0;
};

/// Every model of this room answers in groups per cycle and SM (the memory
/// throughput of the thesis); these are the additions per cycle of its figures,
/// counting 32 lanes.
///
/// Source: Volkov 2016, section 4.1.
inline double addsPerCycle(double GroupsPerCycle, double Alpha) {
  return 32 * Alpha * GroupsPerCycle;
}

/// Memory instructions per cycle and SM that move \p GBps gigabytes per second
/// over a chip of \p SmCount SMs at \p ClockGhz, \p BytesPerInstruction each
/// (128 for 4-byte coalesced accesses).
///
/// Source: Volkov 2016, sections 3.2 and 6.5.
inline double memoryPerCycle(double GBps, double SmCount, double ClockGhz,
                             double BytesPerInstruction = 128) {
  return GBps / (SmCount * ClockGhz * BytesPerInstruction);
}

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_BASELINES_ALPHAMIX_H
