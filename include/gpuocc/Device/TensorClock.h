//===- TensorClock.h - A device while its tensor cores work -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An H200 clocks its SMs at 1980 MHz, and at 1798 MHz while products of warps
/// (mma.sync, not of doubles) run on any SM: measured with bf16, tf32 and s8 on
/// 1 to 132 SMs, with whatever share of the time. Products of warp groups do so
/// on 128 SMs and more. L2 and DRAM keep their clocks: 9.0 TB/s of L2 with and
/// without products.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_TENSORCLOCK_H
#define GPUOCC_DEVICE_TENSORCLOCK_H

#include "gpuocc/Device/DeviceModel.h"

namespace gpuocc {

/// \p Device with its SMs at their clock while tensor cores work: what L2 and
/// DRAM take keeps its time, in other cycles of the SM. \p Device itself where
/// it has no such clock.
DeviceModel atTensorClock(DeviceModel Device);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_TENSORCLOCK_H
