//===- StandIn.h - A driver for machines without a GPU ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A driver that takes every call and runs nothing. With it the plans can be
/// walked through for the kernels that they would load, and in tests.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_DRIVER_STANDIN_H
#define GPUOCC_CALIBRATION_DRIVER_STANDIN_H

#include "Driver.h"

namespace gpuocc::calibration {

/// A table whose one device is a GPU of \p Architecture, which is one of
/// architectures(). Device memory is the host's, zero at first. A launch writes
/// a record for each warp: 30 cycles and 100 for each loop iteration, two
/// cycles a nanosecond, SM by SM. One with more threads than the GPU has for a
/// block, or more shared memory than its function asked for, is refused.
Driver standInDriver(unsigned Architecture = 90);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_DRIVER_STANDIN_H
