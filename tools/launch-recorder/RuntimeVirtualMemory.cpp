//===- RuntimeVirtualMemory.cpp - Addresses and memory apart --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The driver's functions that reserve addresses, create memory and show it
/// there. Memory is accessible where it is mapped, also before
/// cuMemSetAccess().
///
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "RuntimeErrors.h"
#include "gpuocc/Kernel/DeviceAddresses.h"
#include <sys/mman.h>

using namespace gpuocc;
using namespace gpuocc::recorder;

namespace {

/// CU_MEM_ACCESS_FLAGS_PROT_READWRITE.
constexpr unsigned long long ReadsAndWrites = 3;

/// What cuMemCreate() makes: pages that are shown at other addresses.
struct CreatedMemory {
  void *Pages;
  size_t Bytes;
};

bool isWhole(size_t Bytes) {
  return Bytes != 0 && Bytes % DevicePageBytes == 0;
}

} // namespace

extern "C" {

int cuMemGetAllocationGranularity(size_t *Bytes, const void *, int) {
  *Bytes = DevicePageBytes;
  return 0;
}
int cuMemAddressReserve(void **Pointer, size_t Bytes, size_t Alignment, void *,
                        unsigned long long) {
  if (!isWhole(Bytes))
    return InvalidValue;
  *Pointer = deviceMemory().reserve(Bytes, Alignment);
  return *Pointer ? 0 : OutOfMemory;
}
int cuMemAddressFree(void *, size_t) { return 0; }

int cuMemCreate(void **Handle, size_t Bytes, const void *, unsigned long long) {
  if (!isWhole(Bytes))
    return InvalidValue;
  void *Pages = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Pages == MAP_FAILED)
    return OutOfMemory;
  *Handle = new CreatedMemory{Pages, Bytes};
  return 0;
}
int cuMemRelease(void *Created) {
  auto *Handle = static_cast<CreatedMemory *>(Created);
  // What shows the pages keeps them.
  munmap(Handle->Pages, Handle->Bytes);
  delete Handle;
  return 0;
}
int cuMemMap(void *Pointer, size_t Bytes, size_t Offset, const void *Created,
             unsigned long long) {
  const auto *Handle = static_cast<const CreatedMemory *>(Created);
  if (!isWhole(Bytes) || Offset % DevicePageBytes != 0 ||
      Offset > Handle->Bytes || Bytes > Handle->Bytes - Offset)
    return InvalidValue;
  return deviceMemory().show(Pointer,
                             static_cast<char *>(Handle->Pages) + Offset, Bytes)
             ? 0
             : InvalidValue;
}
int cuMemUnmap(void *Pointer, size_t Bytes) {
  deviceMemory().hide(Pointer, Bytes);
  return 0;
}
int cuMemSetAccess(void *Pointer, size_t Bytes, const void *, size_t) {
  return deviceMemory().bytesFrom(Pointer) >= Bytes ? 0 : InvalidValue;
}
int cuMemGetAccess(unsigned long long *Flags, const void *, void *Pointer) {
  *Flags = deviceMemory().bytesFrom(Pointer) != 0 ? ReadsAndWrites : 0;
  return 0;
}
int cuMemExportToShareableHandle(void *, const void *, int,
                                 unsigned long long) {
  return NotSupported;
}
int cuMemImportFromShareableHandle(void **, void *, int) {
  return NotSupported;
}

} // extern "C"
