//===- DeviceNumbers.h - All numbers of a device, by place -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_DEVICENUMBERS_H
#define GPUOCC_DEVICE_DEVICENUMBERS_H

#include "gpuocc/Device/DeviceModel.h"
#include <string>
#include <vector>

namespace gpuocc {

/// A number and the way to it in the device's file, such as
/// `instructions["fp32.fma"].latency_cycles`.
struct PlacedNumber {
  std::string Place;
  /// Lives as long as the device it was taken from.
  const Number *N = nullptr;
};

/// Every number of \p Device, section by section, in the order of the keys'
/// tables; what is in its tables (sweeps) is not counted.
std::vector<PlacedNumber> allNumbers(const DeviceModel &Device);

/// What two devices say of one place; the number of one of them may be absent.
struct NumberDifference {
  std::string Place;
  const Number *First = nullptr;
  const Number *Second = nullptr;

  /// Second over First; nothing when one is absent or First is 0.
  std::optional<double> ratio() const;
};

/// The places where \p First and \p Second do not have the same value, in the
/// order of allNumbers; provenance is not compared. The result lives as long
/// as both devices.
std::vector<NumberDifference> differences(const DeviceModel &First,
                                          const DeviceModel &Second);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_DEVICENUMBERS_H
