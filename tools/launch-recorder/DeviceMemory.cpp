//===- DeviceMemory.cpp - Device memory in the host's ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "gpuocc/Kernel/DeviceAddresses.h"
#include <algorithm>
#include <cstring>
#include <iterator>
#include <sys/mman.h>

using namespace gpuocc;
using namespace gpuocc::recorder;

static constexpr size_t PageBytes = 4096;

/// What lies between allocations.
static constexpr size_t GapBytes = DevicePageBytes;

static size_t wholePages(size_t Bytes) {
  return (Bytes + PageBytes - 1) / PageBytes * PageBytes;
}

/// The bytes from what lies in front of an allocation of \p Bytes bytes to the
/// end of its last page of the GPU, which are 2 MiB. A GPU has memory there,
/// mostly other allocations: whether a kernel comes there is for the executor
/// to tell (lib/Execute/FaultGuard.cpp).
static size_t withSurroundings(size_t Bytes) {
  return GapBytes + (wholePages(Bytes) + GapBytes - 1) / GapBytes * GapBytes;
}

void *DeviceMemory::allocate(size_t Bytes, bool HostWrites) {
  const size_t Size = wholePages(Bytes ? Bytes : 1);
  std::lock_guard<std::mutex> Guard(Lock);
  void *Front =
      mmap(reinterpret_cast<void *>(Next - GapBytes), withSurroundings(Size),
           PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Front == MAP_FAILED)
    return nullptr;
  void *Place = static_cast<char *>(Front) + GapBytes;
  if (mprotect(Place, Size, PROT_READ | PROT_WRITE) != 0) {
    munmap(Front, withSurroundings(Size));
    return nullptr;
  }
  Next += (Size / GapBytes + 2) * GapBytes;
  Allocations[uintptr_t(Place)] = {Bytes, HostWrites ? Bytes : 0, HostWrites,
                                   /*IsShown=*/false, ++NumVersions};
  return Place;
}

void DeviceMemory::release(void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Allocations.find(uintptr_t(Pointer));
  if (Found == Allocations.end() || Found->second.IsShown)
    return;
  munmap(static_cast<char *>(Pointer) - GapBytes,
         withSurroundings(Found->second.Bytes ? Found->second.Bytes : 1));
  Allocations.erase(Found);
}

void *DeviceMemory::reserve(size_t Bytes, size_t Alignment) {
  const size_t Multiple = std::max(Alignment, GapBytes);
  if (Multiple & (Multiple - 1))
    return nullptr;
  std::lock_guard<std::mutex> Guard(Lock);
  const uintptr_t Start = (Next + Multiple - 1) & ~(Multiple - 1);
  if (Start >= EndOfDevice || Bytes >= EndOfDevice - Start)
    return nullptr;
  Next = Start + withSurroundings(Bytes);
  return reinterpret_cast<void *>(Start);
}

/// \p First and \p Second behind it as one.
DeviceMemory::Allocation DeviceMemory::joined(const Allocation &First,
                                              const Allocation &Second) {
  Allocation Both = Second;
  Both.Bytes += First.Bytes;
  Both.KnownBytes = First.KnownBytes;
  if (First.KnownBytes == First.Bytes)
    Both.KnownBytes += Second.KnownBytes;
  Both.Version = std::max(First.Version, Second.Version);
  return Both;
}

bool DeviceMemory::show(void *Pointer, void *Pages, size_t Bytes) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Start = uintptr_t(Pointer);
  if (Start < FirstDeviceAddress || Start >= Next || Bytes > Next - Start)
    return false;
  auto Behind = Allocations.lower_bound(Start);
  auto Before =
      Behind == Allocations.begin() ? Allocations.end() : std::prev(Behind);
  if ((Behind != Allocations.end() && Behind->first < Start + Bytes) ||
      (Before != Allocations.end() &&
       Before->first + Before->second.Bytes > Start))
    return false;
  // An old size of 0 leaves the pages where they are as well.
  if (mremap(Pages, 0, Bytes, MREMAP_MAYMOVE | MREMAP_FIXED, Pointer) ==
      MAP_FAILED)
    return false;
  // The pages may be shown elsewhere too: versions do not tell of all writes.
  Allocation New = {Bytes, /*KnownBytes=*/Bytes, /*IsWrittenByHost=*/true,
                    /*IsShown=*/true, ++NumVersions};
  if (Before != Allocations.end() && Before->second.IsShown &&
      Before->first + Before->second.Bytes == Start) {
    Start = Before->first;
    New = joined(Before->second, New);
  }
  if (Behind != Allocations.end() && Behind->second.IsShown &&
      Behind->first == uintptr_t(Pointer) + Bytes) {
    New = joined(New, Behind->second);
    Allocations.erase(Behind);
  }
  Allocations[Start] = New;
  return true;
}

void DeviceMemory::hide(void *Pointer, size_t Bytes) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  if (Found == Allocations.end() || !Found->second.IsShown)
    return;
  const uintptr_t Start = Found->first, From = uintptr_t(Pointer);
  const uintptr_t End = Start + Found->second.Bytes;
  const uintptr_t To = std::min(From + Bytes, End);
  munmap(Pointer, To - From);
  Allocation Rest = Found->second;
  Allocations.erase(Found);
  Rest.Version = ++NumVersions;
  const size_t Known = Rest.KnownBytes;
  if (From != Start) {
    Rest.Bytes = From - Start;
    Rest.KnownBytes = std::min(Known, Rest.Bytes);
    Allocations[Start] = Rest;
  }
  if (To != End) {
    Rest.Bytes = End - To;
    Rest.KnownBytes = Known - std::min<size_t>(Known, To - Start);
    Allocations[To] = Rest;
  }
}

DeviceMemory::AllocationMap::iterator DeviceMemory::find(const void *Pointer) {
  auto Behind = Allocations.upper_bound(uintptr_t(Pointer));
  if (Behind == Allocations.begin())
    return Allocations.end();
  auto Found = std::prev(Behind);
  return uintptr_t(Pointer) - Found->first < Found->second.Bytes
             ? Found
             : Allocations.end();
}

void DeviceMemory::setKnown(const void *Pointer, bool IsKnown) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  if (Found == Allocations.end())
    return;
  Allocation &A = Found->second;
  A.KnownBytes = IsKnown ? A.Bytes
                         : std::min<size_t>(A.KnownBytes,
                                            uintptr_t(Pointer) - Found->first);
  A.Version = ++NumVersions;
}

size_t DeviceMemory::knownBytesFrom(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  if (Found == Allocations.end())
    return 0;
  const size_t Before = uintptr_t(Pointer) - Found->first;
  return Found->second.KnownBytes - std::min(Found->second.KnownBytes, Before);
}

void DeviceMemory::setAllKnown(bool IsKnown) {
  std::lock_guard<std::mutex> Guard(Lock);
  for (auto &[Start, A] : Allocations) {
    A.KnownBytes = IsKnown ? A.Bytes : 0;
    A.Version = ++NumVersions;
  }
}

uint64_t DeviceMemory::version(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  return Found == Allocations.end() ? 0 : Found->second.Version;
}

bool DeviceMemory::isWrittenByHost(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  return Found != Allocations.end() && Found->second.IsWrittenByHost;
}

bool DeviceMemory::isShown(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  return Found != Allocations.end() && Found->second.IsShown;
}

void DeviceMemory::fill(void *Pointer, int Value, size_t Bytes) {
  setKnown(Pointer, true);
  const size_t Whole = bytesFrom(Pointer) >= Bytes ? Bytes / PageBytes : 0;
  const bool StartsPage = uintptr_t(Pointer) % PageBytes == 0;
  if (Value != 0 || !StartsPage || Whole == 0 || isShown(Pointer)) {
    std::memset(Pointer, Value, Bytes);
    return;
  }
  // Anonymous pages that are given back read as zeros.
  madvise(Pointer, Whole * PageBytes, MADV_DONTNEED);
  std::memset(static_cast<char *>(Pointer) + Whole * PageBytes, 0,
              Bytes % PageBytes);
}

/// All bytes are the same.
static bool isFilled(const void *Pointer, size_t Bytes) {
  const auto *At = static_cast<const char *>(Pointer);
  return Bytes != 0 && std::memcmp(At, At + 1, Bytes - 1) == 0;
}

void DeviceMemory::copy(void *To, const void *From, size_t Bytes) {
  const bool ToHost = bytesFrom(To) == 0, FromHost = bytesFrom(From) == 0;
  if (ToHost && !FromHost && !isKnown(From))
    HostHasUnknown = true;
  // What comes from the host is known. What it computes from results that no
  // kernel has written is mostly what they were filled with.
  setKnown(To, FromHost ? !HostHasUnknown || !isFilled(From, Bytes)
                        : isKnown(From));
  std::memmove(To, From, Bytes);
}

size_t DeviceMemory::bytesFrom(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  return Found == Allocations.end()
             ? 0
             : Found->first + Found->second.Bytes - uintptr_t(Pointer);
}

DeviceMemory::Range DeviceMemory::rangeOf(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  if (Found == Allocations.end())
    return {};
  return {reinterpret_cast<void *>(Found->first), Found->second.Bytes};
}

DeviceMemory::DeviceMemory() : Next(FirstDeviceAddress) {}

DeviceMemory &gpuocc::recorder::deviceMemory() {
  // Never destroyed: programs free memory while they end.
  static DeviceMemory &Memory = *new DeviceMemory;
  return Memory;
}
