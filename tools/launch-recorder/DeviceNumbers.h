//===- DeviceNumbers.h - What host code may ask of a device -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The runtime in this folder stands in for CUDA's when a program is run for
/// its launches only: device memory is memory of the host, every launch is
/// written down, and kernels run where a library for it is given. It is linked
/// into the program, so that it has C's interface and no configuration but the
/// environment:
///
///   GPUOCC_RECORD_LAUNCHES    file that launches are appended to
///   GPUOCC_RECORD_KERNELS     file with a line a kernel
///                             (gpuocc/Toolchain/RecordedLaunch.h)
///   GPUOCC_RECORD_MEMORY      folder for the contents of arrays (optional)
///   GPUOCC_RECORD_WANTED      file with a line a launch: kernel, grid, block;
///                             the program ends when all were seen (optional)
///   GPUOCC_RECORD_FOLDER      where the program runs (optional)
///   GPUOCC_EXECUTE            library that runs kernels
///                             (tools/execute/ExecuteInterface.h; optional)
///   GPUOCC_RECORD_DEVICE      "name=value ..." as in DeviceNumbers.cpp
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_DEVICENUMBERS_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_DEVICENUMBERS_H

/// The value of \p Name ("multiprocessors", "shared_bytes_per_block") of the
/// device that the program believes to run on; 0 for an unknown name.
extern "C" long long gpuoccDeviceNumber(const char *Name);

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_DEVICENUMBERS_H
