//===- DeviceMemory.cpp - Device memory in the host's ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include <cstring>
#include <iterator>
#include <sys/mman.h>

using namespace gpuocc::recorder;

static constexpr size_t PageBytes = 4096;

/// Where allocations begin, and what lies between them: with the same addresses
/// in each run, structs that hold them are recorded alike.
static constexpr uintptr_t FirstAddress = uintptr_t(1) << 44;
static constexpr size_t GapBytes = size_t(1) << 21;

static size_t wholePages(size_t Bytes) {
  return (Bytes + PageBytes - 1) / PageBytes * PageBytes;
}

void *DeviceMemory::allocate(size_t Bytes) {
  const size_t Size = wholePages(Bytes ? Bytes : 1);
  std::lock_guard<std::mutex> Guard(Lock);
  void *Place =
      mmap(reinterpret_cast<void *>(Next), Size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Place == MAP_FAILED)
    return nullptr;
  Next += (Size / GapBytes + 2) * GapBytes;
  Allocations[uintptr_t(Place)] = Bytes;
  return Place;
}

void DeviceMemory::release(void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Allocations.find(uintptr_t(Pointer));
  if (Found == Allocations.end())
    return;
  munmap(Pointer, wholePages(Found->second ? Found->second : 1));
  Allocations.erase(Found);
}

void DeviceMemory::fill(void *Pointer, int Value, size_t Bytes) {
  const size_t Whole = bytesFrom(Pointer) >= Bytes ? Bytes / PageBytes : 0;
  const bool StartsPage = uintptr_t(Pointer) % PageBytes == 0;
  if (Value != 0 || !StartsPage || Whole == 0) {
    std::memset(Pointer, Value, Bytes);
    return;
  }
  // Anonymous pages that are given back read as zeros.
  madvise(Pointer, Whole * PageBytes, MADV_DONTNEED);
  std::memset(static_cast<char *>(Pointer) + Whole * PageBytes, 0,
              Bytes % PageBytes);
}

size_t DeviceMemory::bytesFrom(const void *Pointer) const {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Behind = Allocations.upper_bound(uintptr_t(Pointer));
  if (Behind == Allocations.begin())
    return 0;
  auto [Start, Bytes] = *std::prev(Behind);
  const size_t Offset = uintptr_t(Pointer) - Start;
  return Offset < Bytes ? Bytes - Offset : 0;
}

DeviceMemory::DeviceMemory() : Next(FirstAddress) {}

DeviceMemory &gpuocc::recorder::deviceMemory() {
  // Never destroyed: programs free memory while they end.
  static DeviceMemory &Memory = *new DeviceMemory;
  return Memory;
}
