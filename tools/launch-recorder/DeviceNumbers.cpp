//===- DeviceNumbers.cpp - What host code may ask of a device -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceNumbers.h"
#include <cstdlib>
#include <cstring>

extern "C" long long gpuoccDeviceNumber(const char *Name) {
  const char *At = std::getenv("GPUOCC_RECORD_DEVICE");
  const size_t Length = std::strlen(Name);
  while (At && *At) {
    if (std::strncmp(At, Name, Length) == 0 && At[Length] == '=')
      return std::strtoll(At + Length + 1, nullptr, 10);
    At = std::strchr(At, ' ');
    At += At != nullptr;
  }
  return 0;
}
