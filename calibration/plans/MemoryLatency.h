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

/// Loads that one warp issues before it has to wait.
llvm::Error measureOutstanding(Session &S, CuDevicePtr Buffer);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_MEMORYLATENCY_H
