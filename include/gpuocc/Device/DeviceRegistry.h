//===- DeviceRegistry.h - Devices that are built in ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_DEVICEREGISTRY_H
#define GPUOCC_DEVICE_DEVICEREGISTRY_H

#include "gpuocc/Device/DeviceModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace gpuocc {

/// A device database that is part of this binary.
struct EmbeddedDevice {
  /// "nvidia-h200".
  llvm::StringRef Name;
  /// "sm_90".
  llvm::StringRef Architecture;
  /// Its JSON text.
  llvm::StringRef Text;
};

/// The databases in this binary, sorted by name. Nothing is read from disk.
llvm::ArrayRef<EmbeddedDevice> embeddedDevices();

/// The device \p NameOrPath stands for: a path when it ends in ".json" or
/// holds a '/', otherwise the name of an embedded device.
///
/// Fails when there is none (naming the nearest name), when the file cannot be
/// read, or as parseDeviceModel does.
llvm::Expected<DeviceModel> loadDevice(llvm::StringRef NameOrPath);

/// The name of the embedded device that stands for \p Arch ("sm_90", "sm_90a")
/// when the user names none: of those with that architecture the one that has
/// the most numbers the model can use. Nothing when there is none.
std::optional<llvm::StringRef> findDeviceForArchitecture(llvm::StringRef Arch);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_DEVICEREGISTRY_H
