//===- DeviceAddresses.h - Where device memory lies -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Addresses of device memory in programs that run without a GPU. The runtime
/// that allocates, the executor that guards allocations and the walk that looks
/// up what was read share them.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_DEVICEADDRESSES_H
#define GPUOCC_KERNEL_DEVICEADDRESSES_H

#include <cstdint>

namespace gpuocc {

/// The first allocation lies there or above: with the same addresses in each
/// run, structs that hold them are recorded alike.
constexpr uint64_t FirstDeviceAddress = uint64_t(1) << 44;
/// All allocations end below.
constexpr uint64_t EndOfDevice = uint64_t(1) << 45;
/// A GPU faults by pages of this size: what lies in one with an allocation, and
/// in the one before it, is no address that it refuses.
constexpr uint64_t DevicePageBytes = uint64_t(1) << 21;

} // namespace gpuocc

#endif // GPUOCC_KERNEL_DEVICEADDRESSES_H
