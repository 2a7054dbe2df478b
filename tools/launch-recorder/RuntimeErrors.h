//===- RuntimeErrors.h - Errors that programs are told ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_RUNTIMEERRORS_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_RUNTIMEERRORS_H

namespace gpuocc::recorder {

/// The numbers of cudaError that functions of the runtime return.
enum RuntimeError {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidDeviceFunction = 98,
  InvalidDevice = 101,
  IllegalState = 401,
  NotFound = 500,
  OutOfResources = 701,
  CooperativeTooLarge = 720,
  NotSupported = 801,
  InvalidClusterSize = 912
};

/// Keeps \p Error, unless it is Success, for cudaGetLastError of this thread,
/// and returns it.
int noteError(int Error);

/// What CUDA says of \p Error.
const char *textOfError(int Error);

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_RUNTIMEERRORS_H
