//===- ProfileTrace.h - A run as a timeline for Perfetto --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_PROFILETRACE_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_PROFILETRACE_H

#include "ProfileReport.h"
#include "gpuocc/Toolchain/HostEvents.h"

namespace gpuocc {

/// Writes \p Events with the times of \p R on \p Device as Chrome's trace
/// events in JSON: a row of kernels and one of gaps for each stream, a row for
/// the copies of each direction. `otherData` has `device`,
/// `events_left_out` and `unpriced_launches`.
void writeProfileTrace(const ProfileReport &R, const HostEvents &Events,
                       const DeviceModel &Device, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_PROFILETRACE_H
