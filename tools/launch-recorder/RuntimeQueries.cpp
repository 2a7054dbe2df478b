//===- RuntimeQueries.cpp - Answers of a device of its own ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What programs ask of pointers, streams, pools and limits: a function that
/// succeeds and writes nothing would leave them with what lay there before.
/// Names and types are those of CUDA's runtime.
///
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "HostLog.h"
#include "RuntimeErrors.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

using namespace gpuocc::recorder;

namespace {

/// cudaPointerAttributes, up to where toolkits differ.
struct PointerAttributes {
  int Type, Device;
  void *DevicePointer, *HostPointer;
};

/// cudaMemoryType.
enum MemoryType { Unregistered = 0, PinnedHost = 1, OnDevice = 2, Managed = 3 };

/// What cudaLimit has when a program starts, in the order of its numbers: bytes
/// of a stack, of the buffer of printf and of the heap, depth and number of
/// launches from kernels, bytes that L2 fetches and keeps.
constexpr size_t FirstLimits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
constexpr size_t NumLimits = std::size(FirstLimits);

struct LimitTable {
  std::mutex Lock;
  std::map<unsigned, size_t> Set;
};

LimitTable &limits() {
  // Never destroyed: programs ask while they end.
  static LimitTable &Table = *new LimitTable;
  return Table;
}

/// cudaFuncCachePreferNone and cudaSharedMemBankSizeFourByte.
constexpr int NoPreference = 0, FourByteBanks = 1;

/// cudaMemPoolAttr: three switches, then numbers of bytes.
constexpr int LastPoolSwitch = 3;

} // namespace

extern "C" {

int cudaPointerGetAttributes(PointerAttributes *Attributes,
                             const void *Pointer) {
  void *Same = const_cast<void *>(Pointer);
  *Attributes = {Unregistered, -2, nullptr, Same};
  if (hostLog().isPinnedMemory(Pointer))
    *Attributes = {PinnedHost, 0, Same, Same};
  else if (deviceMemory().isWrittenByHost(Pointer))
    *Attributes = {Managed, 0, Same, Same};
  else if (deviceMemory().bytesFrom(Pointer) != 0)
    *Attributes = {OnDevice, 0, Same, nullptr};
  return Success;
}
int cudaHostGetFlags(unsigned *Flags, void *) {
  *Flags = 0;
  return Success;
}
// No page has moved.
int cudaMemRangeGetAttribute(void *Value, size_t Bytes, int, const void *,
                             size_t) {
  std::memset(Value, 0, Bytes);
  return Success;
}
int cudaMemPoolGetAttribute(void *, int Attribute, void *Value) {
  if (Attribute <= LastPoolSwitch)
    *static_cast<int *>(Value) = 1;
  else
    *static_cast<uint64_t *>(Value) = 0;
  return Success;
}

int cudaDeviceSetLimit(unsigned Limit, size_t Value) {
  if (Limit >= NumLimits)
    return noteError(InvalidValue);
  std::lock_guard<std::mutex> Guard(limits().Lock);
  limits().Set[Limit] = Value;
  return Success;
}
int cudaDeviceGetLimit(size_t *Value, unsigned Limit) {
  if (Limit >= NumLimits)
    return noteError(InvalidValue);
  std::lock_guard<std::mutex> Guard(limits().Lock);
  auto Found = limits().Set.find(Limit);
  *Value = Found == limits().Set.end() ? FirstLimits[Limit] : Found->second;
  return Success;
}
int cudaDeviceGetCacheConfig(int *Config) {
  *Config = NoPreference;
  return Success;
}
int cudaDeviceGetSharedMemConfig(int *Config) {
  *Config = FourByteBanks;
  return Success;
}
int cudaDeviceGetPCIBusId(char *Text, int Bytes, int) {
  std::snprintf(Text, size_t(Bytes), "0000:00:00.0");
  return Success;
}
int cudaDeviceGetByPCIBusId(int *Device, const char *) {
  *Device = 0;
  return Success;
}
int cudaChooseDevice(int *Device, const void *) {
  *Device = 0;
  return Success;
}
int cudaGetDeviceFlags(unsigned *Flags) {
  *Flags = 0;
  return Success;
}
// The one device is no peer of its own.
int cudaDeviceGetP2PAttribute(int *, int, int, int) {
  return noteError(InvalidDevice);
}
int cudaDeviceEnablePeerAccess(int, unsigned) {
  return noteError(InvalidDevice);
}
int cudaDeviceDisablePeerAccess(int) { return noteError(InvalidDevice); }

int cudaStreamGetPriority(void *, int *Priority) {
  *Priority = 0;
  return Success;
}
int cudaStreamGetFlags(void *Stream, unsigned *Flags) {
  *Flags = hostLog().isNonBlocking(Stream) ? 1 : 0;
  return Success;
}
int cudaStreamGetId(void *Stream, unsigned long long *Id) {
  *Id = uintptr_t(Stream);
  return Success;
}
int cudaStreamGetDevice(void *, int *Device) {
  *Device = 0;
  return Success;
}

// What one process shows another is not shown.
int cudaIpcGetMemHandle(void *, void *) { return noteError(NotSupported); }
int cudaIpcOpenMemHandle(void **, ...) { return noteError(NotSupported); }
int cudaIpcGetEventHandle(void *, void *) { return noteError(NotSupported); }
int cudaIpcOpenEventHandle(void **, ...) { return noteError(NotSupported); }
int cudaMemPoolExportToShareableHandle(void *, void *, int, unsigned) {
  return noteError(NotSupported);
}

} // extern "C"
