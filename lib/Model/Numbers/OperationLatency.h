//===- OperationLatency.h - How long results take to arrive -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_NUMBERS_OPERATIONLATENCY_H
#define GPUOCC_LIB_MODEL_NUMBERS_OPERATIONLATENCY_H

namespace gpuocc {

class Numbers;
struct AccessProfile;
struct MemoryAccess;

/// Delays that load adds to the unloaded latencies, cycles.
struct MemoryDelay {
  double L2 = 0, Dram = 0;
};

/// Time from the issue of an operation until its result can be used.
struct OperationLatency {
  /// Mean without load.
  double Cycles = 0;
  /// The parts of executions that wait for L2 and for DRAM: load adds to them.
  double L2Share = 0, DramShare = 0;
  /// What load adds to the slowest line of a request, over what it adds to
  /// one line in the mean: queueing does as much as it delays.
  double SlowestLine = 1;
  /// Variance without load: waits for memory differ from one to the next.
  double VarianceCycles2 = 0;
  /// What of it loads of lines have in common that DRAM brings together.
  double CommonVarianceCycles2 = 0;

  bool waitsForMemory() const { return L2Share + DramShare > 0; }

  /// The same where only \p Fraction of the executions make a request.
  OperationLatency inPart(double Fraction) const;
};

/// Latency of one request of \p A, whose lanes do what \p P says.
/// Every number is the device database's; Quantity.def says what each one is.
OperationLatency accessLatency(const MemoryAccess &A, const AccessProfile &P,
                               Numbers &N);

/// Cycles of an SM for what other blocks of the cluster have of a request of
/// \p A.
double otherBlocksCycles(const MemoryAccess &A, const AccessProfile &P,
                         Numbers &N);

/// Cycles that a pass of a request of \p A through the banks of shared memory,
/// or the turn of a lane, takes. Turns of swaps that are retried count twice
/// already (AccessProfile::SerializedPasses).
double sharedTurnCycles(const MemoryAccess &A, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_NUMBERS_OPERATIONLATENCY_H
