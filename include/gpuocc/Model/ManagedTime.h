//===- ManagedTime.h - Waiting for managed memory ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_MANAGEDTIME_H
#define GPUOCC_MODEL_MANAGEDTIME_H

#include "gpuocc/Support/Known.h"
#include <cstdint>

namespace gpuocc {

struct DeviceModel;

/// What a kernel takes longer that first touches \p FromHost bytes of managed
/// memory which the host used last, and \p Fresh bytes which nobody has used.
///
///   ns = first + from_host / rate + fresh / fresh rate
///
/// A page of the host moves when the first warp touches it; the driver, which
/// does that, moves many at once. Bytes, and bytes a nanosecond (GB/s).
///
/// Source: calibration/results/nvidia-h200/2026-11-29T1120/managed.csv.
Known<double> managedNs(uint64_t FromHost, uint64_t Fresh,
                        const DeviceModel &Device);

/// 80 % of 258 times in that file of kernels that touch all of one to three
/// arrays are within this factor of the formula (geometric mean 1.33). One
/// block alone, which asks for few pages at once, takes up to three times as
/// long, as do pages that host and kernels have used in turn.
inline constexpr double ManagedFactor = 1.45;

} // namespace gpuocc

#endif // GPUOCC_MODEL_MANAGEDTIME_H
