//===- RuntimeErrors.cpp - Errors that programs are told ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names and types are those of CUDA's runtime.
///
//===----------------------------------------------------------------------===//

#include "RuntimeErrors.h"
#include "KernelExecutor.h"
#include <utility>

using namespace gpuocc::recorder;

namespace {

struct ErrorRow {
  int Number;
  const char *Name, *Text;
};

/// What this runtime returns, and what programs compare with.
constexpr ErrorRow Errors[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {35, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {46, "cudaErrorDevicesUnavailable",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {209, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {214, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {217, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {300, "cudaErrorInvalidSource", "device kernel image is invalid"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {401, "cudaErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {500, "cudaErrorSymbolNotFound", "named symbol not found"},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {715, "cudaErrorIllegalInstruction",
     "an illegal instruction was encountered"},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {717, "cudaErrorInvalidAddressSpace",
     "operation not supported on global/shared address space"},
    {718, "cudaErrorInvalidPc", "invalid program counter"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {900, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {912, "cudaErrorInvalidClusterSize",
     "a kernel launch error has occurred due to cluster misconfiguration"},
    {999, "cudaErrorUnknown", "unknown error"},
};

constexpr ErrorRow NoSuchError = {-1, "unrecognized error code",
                                  "unrecognized error code"};

const ErrorRow &errorOf(int Number) {
  for (const ErrorRow &Row : Errors)
    if (Row.Number == Number)
      return Row;
  return NoSuchError;
}

/// Of the calls of a thread; the error of a kernel is that of the device.
thread_local int LastError = Success;

} // namespace

int gpuocc::recorder::noteError(int Error) {
  if (Error != Success)
    LastError = Error;
  return Error;
}

const char *gpuocc::recorder::textOfError(int Error) {
  return errorOf(Error).Text;
}

extern "C" {

int cudaPeekAtLastError() {
  // The error of a kernel that failed stays, as on a device.
  const int Failure = kernelExecutor().failure();
  return Failure != Success ? Failure : LastError;
}
int cudaGetLastError() {
  const int Failure = kernelExecutor().failure();
  const int Last = std::exchange(LastError, Success);
  return Failure != Success ? Failure : Last;
}

const char *cudaGetErrorString(int Error) { return errorOf(Error).Text; }
const char *cudaGetErrorName(int Error) { return errorOf(Error).Name; }

} // extern "C"
