//===- IssueSchedule.h - In-order issue of one warp -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_ISSUESCHEDULE_H
#define GPUOCC_MODEL_ISSUESCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace gpuocc {

/// One instruction of a straight-line sequence, as latencies see it.
struct TimedInstruction {
  /// Cycles until the next instruction of the warp can issue (ILP latency; 0
  /// when the two are dual-issued).
  double IssueGapCycles = 1;
  /// Cycles until an instruction that uses the result can issue (register
  /// dependency latency).
  double LatencyCycles = 0;
  /// Earlier instructions whose results this one uses, by index.
  llvm::SmallVector<unsigned, 3> Inputs;
};

/// Issue cycle of each of \p Code when one warp runs alone and in order from
/// cycle 0: the longest path in the graph of ILP and register dependency
/// latencies.
///
/// Source: Volkov 2016, section 3.7, Listings 3.1 and 3.2, Fig. 3.5.
std::vector<double> issueCycles(llvm::ArrayRef<TimedInstruction> Code);

/// Cycle at which every warp of a block issues the instruction after a barrier
/// that the warps reached at \p ArrivalCycles.
///
/// Source: Volkov 2016, section 3.7, Listing 3.3 (latest arrival plus the
/// pipeline latency of the barrier).
double barrierReleaseCycle(llvm::ArrayRef<double> ArrivalCycles,
                           double BarrierLatencyCycles);

} // namespace gpuocc

#endif // GPUOCC_MODEL_ISSUESCHEDULE_H
