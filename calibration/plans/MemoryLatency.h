//===- MemoryLatency.h - Parts of the latency plan --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_MEMORYLATENCY_H
#define GPUOCC_CALIBRATION_PLANS_MEMORYLATENCY_H

#include "Session.h"

namespace gpuocc::calibration {

/// Latency of a request that touches n sectors, each in a line of its own.
llvm::Error measureDivergence(Session &S, CuDevicePtr Buffer);

/// How far single loads of lines are from their mean, with few loads under way.
llvm::Error measureDeviation(Session &S, CuDevicePtr Buffer,
                             uint64_t BufferBytes);

/// What the issue of a load takes that others follow.
llvm::Error measureLoadIssue(Session &S, CuDevicePtr Buffer);

/// Partitions of an L2 of \p L2Bytes that each keep a copy of what their SMs
/// read, from footprints (bytes) and mean latencies of walks, by ascending
/// footprint; nothing where there are none.
std::optional<unsigned>
partitionsOfL2(llvm::ArrayRef<std::pair<double, double>> LatencyByFootprint,
               double L2Bytes);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_MEMORYLATENCY_H
