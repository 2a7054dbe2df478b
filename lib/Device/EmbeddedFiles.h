//===- EmbeddedFiles.h - lib/Device/data as text in this binary -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_DEVICE_EMBEDDEDFILES_H
#define GPUOCC_LIB_DEVICE_EMBEDDEDFILES_H

#include "gpuocc/Device/DeviceRegistry.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc {

/// The files data/devices/*.json, sorted by name. Defined in a source that the
/// build makes from them (cmake/EmbedJson.cmake).
llvm::ArrayRef<EmbeddedDevice> embeddedDeviceFiles();

/// The file data/architectures.json; defined there too.
llvm::StringRef embeddedArchitectures();

} // namespace gpuocc

#endif // GPUOCC_LIB_DEVICE_EMBEDDEDFILES_H
