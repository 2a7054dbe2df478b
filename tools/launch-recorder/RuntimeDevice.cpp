//===- RuntimeDevice.cpp - What programs ask of the device ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What programs ask of the device and wait for. Names and types are those of
/// CUDA's runtime; what is missing here and in the files beside it succeeds
/// and does nothing (lib/Toolchain/HostProgram.cpp).
///
//===----------------------------------------------------------------------===//

#include "DeviceNumbers.h"

namespace {

/// The numbers of cudaDeviceAttr.
struct AttributeRow {
  int Attribute;
  const char *Number;
};

constexpr AttributeRow Attributes[] = {
    {1, "threads_per_block"},
    {2, "threads_per_block"},
    {3, "threads_per_block"},
    {4, "block_z"},
    {5, "grid_x"},
    {6, "grid_yz"},
    {7, "grid_yz"},
    {8, "shared_bytes_per_block"},
    {9, "constant_bytes"},
    {10, "warp_lanes"},
    {12, "registers_per_sm"},
    {13, "clock_khz"},
    {16, "multiprocessors"},
    {36, "memory_clock_khz"},
    {37, "memory_bus_bits"},
    {38, "l2_bytes"},
    {39, "threads_per_sm"},
    {75, "capability_major"},
    {76, "capability_minor"},
    {81, "shared_bytes_per_sm"},
    {82, "registers_per_sm"},
    {97, "shared_bytes_per_block_optin"},
    {106, "blocks_per_sm"},
};

/// Attributes that say whether the device can do something: it can overlap,
/// map host memory, run kernels at once, use unified and managed memory, launch
/// cooperatively, and map memory at addresses.
constexpr int Abilities[] = {15, 19, 31, 41, 83, 88, 89, 95, 102, 115};

/// What succeeds and has nothing to do: nothing runs that could be waited for,
/// fail or be configured.
#define GPUOCC_IDLE_FUNCTIONS(F)                                               \
  F(cudaDeviceReset)                                                           \
  F(cudaDeviceSetCacheConfig)                                                  \
  F(cudaDeviceSetMemPool)                                                      \
  F(cudaDeviceSetSharedMemConfig)                                              \
  F(cudaEventDestroy)                                                          \
  F(cudaEventQuery)                                                            \
  F(cudaFuncSetCacheConfig)                                                    \
  F(cudaMemAdvise)                                                             \
  F(cudaMemAdvise_v2)                                                          \
  F(cudaMemPoolDestroy)                                                        \
  F(cudaMemPoolSetAccess)                                                      \
  F(cudaMemPoolSetAttribute)                                                   \
  F(cudaMemPoolTrimTo)                                                         \
  F(cudaProfilerStart)                                                         \
  F(cudaProfilerStop)                                                          \
  F(cudaSetDevice)                                                             \
  F(cudaSetDeviceFlags)                                                        \
  F(cudaStreamAttachMemAsync)                                                  \
  F(cudaStreamDestroy)                                                         \
  F(cudaStreamQuery)                                                           \
  F(cudaThreadExit)

} // namespace

extern "C" {

#define GPUOCC_IDLE_FUNCTION(Name)                                             \
  int Name() { return 0; }
// NOLINTNEXTLINE(readability-identifier-naming): CUDA's versions end in _v2.
GPUOCC_IDLE_FUNCTIONS(GPUOCC_IDLE_FUNCTION)

int cudaGetDeviceCount(int *Count) {
  *Count = 1;
  return 0;
}
int cudaGetDevice(int *Device) {
  *Device = 0;
  return 0;
}
// The one device has no peer.
int cudaDeviceCanAccessPeer(int *CanAccess, int, int) {
  *CanAccess = 0;
  return 0;
}
// No priorities: CUDA says so by an empty range.
int cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest) {
  *Least = *Greatest = 0;
  return 0;
}
int cudaDeviceGetAttribute(int *Value, int Attribute, int) {
  *Value = 0;
  for (const AttributeRow &Row : Attributes)
    if (Row.Attribute == Attribute)
      *Value = int(gpuoccDeviceNumber(Row.Number));
  for (int Ability : Abilities)
    if (Ability == Attribute)
      *Value = 1;
  return 0;
}
int cudaRuntimeGetVersion(int *Version) {
  *Version = int(gpuoccDeviceNumber("cuda_version"));
  return 0;
}
int cudaDriverGetVersion(int *Version) {
  return cudaRuntimeGetVersion(Version);
}

} // extern "C"
