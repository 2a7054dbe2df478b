//===- Driver.h - The CUDA driver as a table of functions ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions of the CUDA driver that calibration calls, in a table that is
/// filled from libcuda.so.1 at run time, or by a fake in a test. The types are
/// our own declarations of the documented binary interface.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_DRIVER_DRIVER_H
#define GPUOCC_CALIBRATION_DRIVER_DRIVER_H

#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>

namespace gpuocc::calibration {

using CuResult = int; ///< 0 is success.
using CuDevice = int;
using CuDevicePtr = uint64_t;
using CuContext = struct CuContextTag *;
using CuModule = struct CuModuleTag *;
using CuFunction = struct CuFunctionTag *;
using CuStream = struct CuStreamTag *;
using CuEvent = struct CuEventTag *;
using CuLinkState = struct CuLinkStateTag *;

/// Device attributes that are read, with the driver interface's numbers.
enum class DeviceAttribute : int {
  ConstantBytes = 9,
  WarpSize = 10,
  ClockKHz = 13,
  SmCount = 16,
  MemoryClockKHz = 36,
  MemoryBusBits = 37,
  L2Bytes = 38,
  MajorVersion = 75,
  MinorVersion = 76,
  SharedBytesPerSm = 81,
  RegistersPerSm = 82,
  SharedBytesPerBlockOptIn = 97,
  ThreadsPerSm = 39,
  BlocksPerSm = 106,
};

/// Function attributes that are set or read.
enum class FunctionAttribute : int {
  StaticSharedBytes = 1,
  Registers = 4,
  MaxDynamicSharedBytes = 8,
  SharedCarveoutPercent = 9,
};

/// What a texture reads: CUDA_RESOURCE_DESC for linear memory.
struct LinearTexture {
  int Kind = 2; ///< Linear memory.
  int Padding = 0;
  CuDevicePtr Address = 0;
  int Format = 3; ///< 32-bit unsigned integers.
  unsigned Channels = 1;
  uint64_t Bytes = 0;
  int Reserved[26] = {};
  unsigned Flags = 0;
  int End = 0;
};
static_assert(sizeof(LinearTexture) == 144);

/// How it is read: CUDA_TEXTURE_DESC.
struct TextureSettings {
  int AddressModes[3] = {};
  int FilterMode = 0;
  unsigned Flags = 1; ///< Integers as they are.
  int Rest[21] = {};
};
static_assert(sizeof(TextureSettings) == 104);

/// CUtensorMap: what the driver makes of the description of a tensor.
struct alignas(64) TensorMap {
  uint64_t Words[16] = {};
};

/// The driver's functions. All members are set in a usable table.
struct Driver {
#define DRIVER_FUNCTION(Member, Symbol, Parameters)                            \
  CuResult(*Member) Parameters = nullptr;
#include "Functions.def"

  /// The table of the installed driver. Errors: no libcuda.so.1, or one that
  /// lacks a function.
  static llvm::Expected<Driver> open();
};

/// Success, or an error that names \p Function and the driver's error.
llvm::Error check(const Driver &Cuda, CuResult Result, const char *Function);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_DRIVER_DRIVER_H
