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
  /// Its display name and its aliases, a line each.
  llvm::StringRef Names;
  /// Its JSON text.
  llvm::StringRef Text;
};

/// The databases in this binary, sorted by name. Nothing is read from disk.
llvm::ArrayRef<EmbeddedDevice> embeddedDevices();

/// True when \p NameOrPath is the path of a file, not the name of an embedded
/// device.
bool isDevicePath(llvm::StringRef NameOrPath);

/// The device \p NameOrPath stands for: a path when it ends in ".json" or
/// holds a '/', otherwise the name of an embedded device or one that people
/// give it ("RTX 4090"): case, spaces, hyphens and the maker's name are not
/// looked at. What the file of a device with a relative does not state is
/// derived from it (DeriveDevice.h).
///
/// Fails when there is none (naming the nearest name), when the file cannot be
/// read, or as parseDeviceModel does.
llvm::Expected<DeviceModel> loadDevice(llvm::StringRef NameOrPath);

/// The same without deriving: what the device's own file states.
llvm::Expected<DeviceModel> loadDeviceFile(llvm::StringRef NameOrPath);

/// The name of the embedded device that stands for \p Arch ("sm_90", "sm_90a")
/// when the user names none; architectures.json says which. Nothing when there
/// is none.
std::optional<llvm::StringRef> findDeviceForArchitecture(llvm::StringRef Arch);

/// The embedded device that is nearest to \p Arch, which has none of its own:
/// that of the nearest architecture of the same family, or of the nearest one.
/// Nothing when \p Arch is no architecture.
std::optional<llvm::StringRef> nearestDevice(llvm::StringRef Arch);

/// Whether a latency of an instruction of \p Device was measured on it. What
/// its calibration leaves out may still be derived from a relative.
bool isMeasured(const DeviceModel &Device);

/// Whether the latencies and rates of \p Device are those of its relative.
bool isDerived(const DeviceModel &Device);

/// Where most of what is said of \p Device comes from: "measured",
/// "published", or "derived from nvidia-h200".
std::string deviceBasis(const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_DEVICEREGISTRY_H
