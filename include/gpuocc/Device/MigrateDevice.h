//===- MigrateDevice.h - Device databases of older versions -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_MIGRATEDEVICE_H
#define GPUOCC_DEVICE_MIGRATEDEVICE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpuocc {

/// Gives the database \p File of an older version the keys and the version of
/// today's (lib/Device/DeviceChanges.def). A key that has a value under its new
/// name too keeps that one. Fails for a version that this build does not read;
/// the message names both versions and what helps, not the file. Leaves a
/// \p File without a version, or whose version is no number, as it is: its
/// reader says so.
llvm::Error migrateDevice(llvm::json::Object &File);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_MIGRATEDEVICE_H
