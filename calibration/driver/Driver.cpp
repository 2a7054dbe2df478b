//===- Driver.cpp - The CUDA driver as a table of functions ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include <dlfcn.h>

using namespace llvm;

namespace gpuocc::calibration {

Expected<Driver> Driver::open() {
  void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    return createStringError("no NVIDIA driver: libcuda.so.1 cannot be opened; "
                             "run this on a machine with an NVIDIA GPU");
  Driver Table;
#define DRIVER_FUNCTION(Member, Symbol, Parameters)                            \
  Table.Member =                                                               \
      reinterpret_cast<CuResult(*) Parameters>(dlsym(Library, Symbol));        \
  if (!Table.Member)                                                           \
    return createStringError("libcuda.so.1 has no function '" Symbol           \
                             "': a newer NVIDIA driver is needed");
#include "Functions.def"
  return Table;
}

Error check(const Driver &Cuda, CuResult Result, const char *Function) {
  if (Result == 0)
    return Error::success();
  const char *Name = nullptr;
  if (!Cuda.GetErrorName || Cuda.GetErrorName(Result, &Name) != 0 || !Name)
    Name = "unknown error";
  return createStringError("%s failed: %s (%d)", Function, Name, Result);
}

} // namespace gpuocc::calibration
