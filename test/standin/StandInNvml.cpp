//===- StandInNvml.cpp - libnvidia-ml.so.1 for tests ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The management library of a machine without a GPU. The environment variable
// GPUOCC_STANDIN_NVML says what is special about the GPU: any of "mig",
// "power", "processes" and "throttle".
//
//===----------------------------------------------------------------------===//

#include "driver/Nvml.h"
#include <cstdlib>
#include <cstring>

using namespace gpuocc::calibration;

static bool has(const char *What) {
  const char *All = std::getenv("GPUOCC_STANDIN_NVML");
  return All && std::strstr(All, What);
}

extern "C" NvmlResult nvmlInit_v2() { return 0; }
extern "C" NvmlResult nvmlShutdown() { return 0; }
extern "C" NvmlResult nvmlDeviceGetHandleByPciBusId_v2(const char *,
                                                       NvmlDevice *Device) {
  static char Only;
  *Device = reinterpret_cast<NvmlDevice>(&Only);
  return 0;
}
extern "C" NvmlResult nvmlDeviceGetMigMode(NvmlDevice, unsigned *Now,
                                           unsigned *Pending) {
  return *Now = *Pending = has("mig"), 0;
}
extern "C" NvmlResult nvmlDeviceGetPowerManagementLimit(NvmlDevice,
                                                        unsigned *MilliWatts) {
  return *MilliWatts = has("power") ? 350000 : 700000, 0;
}
extern "C" NvmlResult
nvmlDeviceGetPowerManagementDefaultLimit(NvmlDevice, unsigned *MilliWatts) {
  return *MilliWatts = 700000, 0;
}
extern "C" NvmlResult nvmlDeviceGetComputeRunningProcesses_v3(NvmlDevice,
                                                              unsigned *Count,
                                                              NvmlProcess *) {
  static constexpr NvmlResult TooSmall = 7;
  if (!has("processes"))
    return *Count = 0, 0;
  return *Count = 2, TooSmall;
}
extern "C" NvmlResult
nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice,
                                          unsigned long long *Reasons) {
  // Idle, or the power limit and the temperature.
  return *Reasons = has("throttle") ? 0x24 : 1, 0;
}
