//===- FlatDevice.h - The numbers of a device by index ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The model reads numbers of a device with every memory access of every
/// prediction: they are looked up in the database once.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_FLATDEVICE_H
#define GPUOCC_DEVICE_FLATDEVICE_H

#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceModel.h"
#include <array>
#include <optional>

namespace gpuocc {

/// The single numbers of a DeviceModel in arrays. Refers to the model, which
/// must not change meanwhile.
class FlatDevice {
public:
  explicit FlatDevice(const DeviceModel &Model);

  const DeviceModel &model() const { return Model; }

  /// The value in the unit of Quantity.def; nothing when the database lacks it.
  std::optional<double> get(Quantity Q) const {
    return Quantities[unsigned(Q)];
  }

  /// The value in the unit of \p Field; nothing when the database lacks it.
  std::optional<double> get(InstClass Class, TimingField Field) const {
    return Timings[unsigned(Class)][unsigned(Field)];
  }

  /// The limits of the device's architecture; without any where the database
  /// lacks it.
  const ArchLimits &limits() const { return Limits; }

  /// As DeviceModel::pipe.
  Resource pipe(InstClass Class) const { return Pipes[unsigned(Class)]; }

private:
  const DeviceModel &Model;
  const ArchLimits &Limits;
  std::array<std::optional<double>, NumQuantities> Quantities;
  PerInstClass<std::array<std::optional<double>, NumTimingFields>> Timings;
  PerInstClass<Resource> Pipes;
};

} // namespace gpuocc

#endif // GPUOCC_DEVICE_FLATDEVICE_H
