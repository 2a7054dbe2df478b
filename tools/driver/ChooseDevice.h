//===- ChooseDevice.h - The device that code is assessed on ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_CHOOSEDEVICE_H
#define GPUOCC_TOOLS_DRIVER_CHOOSEDEVICE_H

#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// A device, and what a reader has to know of how it was chosen.
struct ChosenDevice {
  DeviceModel Model;
  /// Nothing where the device is of the code's architecture and was asked for,
  /// or stands for it.
  std::optional<Assumption> Taken;
};

/// The architecture that CUDA code for a device of \p Architecture is compiled
/// for: that, or the nearest one that clang still compiles CUDA for.
std::string codeArchitecture(llvm::StringRef Architecture);

/// What a build that compiles for \p Built, in the build's order, has for a
/// device of \p Architecture: of Built the last of its number, as "sm_90a" for
/// "sm_90", which code for tensor maps and warp-group products needs; otherwise
/// codeArchitecture().
std::string builtArchitecture(llvm::StringRef Architecture,
                              llvm::ArrayRef<std::string> Built);

/// The device that code for \p Architecture is assessed on: \p NameOrPath when
/// it is of that architecture, otherwise the built-in one that stands for the
/// architecture, otherwise the nearest one, with the limits of the code's
/// architecture. A user who compiles for several architectures names a device
/// of one of them. A device that is too old for today's compilers takes code
/// for the architecture that is nearest to it.
///
/// Fails when the named device cannot be loaded, when a device has no numbers
/// to predict with, and when \p Architecture is none that is known.
llvm::Expected<ChosenDevice> chooseDevice(llvm::StringRef NameOrPath,
                                          llvm::StringRef Architecture);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_CHOOSEDEVICE_H
