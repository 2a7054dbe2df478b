//===- BothWays.h - A round trip to its two ways ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_STATS_BOTHWAYS_H
#define GPUOCC_CALIBRATION_STATS_BOTHWAYS_H

#include "MachineCode.h"

namespace gpuocc::calibration {

/// Latencies of two classes, in cycles: from the first to the second, and back.
struct BothWays {
  double There = 0, Back = 0;
};

/// What the two ways of a chain take in which two classes take turns.
///
/// Chains alone cannot tell them apart: were each latency from a class longer
/// by any amount and each latency to it shorter by the same, no chain would
/// show it. But where an instruction has a fixed latency, the assembler states
/// in its control code when the consumer issues, so that the other way is the
/// rest. Where both are fixed or both vary, what is beyond the stalls, or
/// beyond the latencies of both classes, is split evenly.
///
/// \param Cycles  of a turn: from an instruction of the first class to its
///   next.
/// \param There, Back  distances of the instructions in the machine code;
///   nothing where they are not known.
/// \param FirstLatency, SecondLatency  of the classes to themselves.
/// \returns nothing when neither stalls nor latencies are known.
std::optional<BothWays> bothWays(double Cycles,
                                 std::optional<IssueDistance> There,
                                 std::optional<IssueDistance> Back,
                                 std::optional<double> FirstLatency,
                                 std::optional<double> SecondLatency);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_STATS_BOTHWAYS_H
