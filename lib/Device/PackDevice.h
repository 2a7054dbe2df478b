//===- PackDevice.h - Device databases that need no parser -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The form in which databases are embedded. Parsing the JSON of a measured
/// device takes longer than clang takes for a small kernel.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_DEVICE_PACKDEVICE_H
#define GPUOCC_LIB_DEVICE_PACKDEVICE_H

#include "gpuocc/Device/DeviceModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// All of \p Device as bytes for unpackDevice of the same build.
std::string packDevice(DeviceModel Device);

/// The device that \p Bytes of packDevice hold.
DeviceModel unpackDevice(llvm::StringRef Bytes);

/// The packed embedded devices, in the order of embeddedDeviceFiles. Defined in
/// a source that the build makes (lib/Device/pack).
llvm::ArrayRef<llvm::StringRef> packedDevices();

} // namespace gpuocc

#endif // GPUOCC_LIB_DEVICE_PACKDEVICE_H
