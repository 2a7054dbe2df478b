//===- DeviceMemory.h - Device memory in the host's -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_DEVICEMEMORY_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_DEVICEMEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace gpuocc::recorder {

/// Memory that a program believes to be a device's. Pages that nobody writes
/// take no memory, so that large arrays which only kernels would touch are
/// free.
class DeviceMemory {
public:
  DeviceMemory();
  /// \p Bytes of zeros, aligned as cudaMalloc aligns; null when there is no
  /// address space left. \p HostWrites: its contents are what the host makes
  /// them, without saying so.
  void *allocate(size_t Bytes, bool HostWrites = false);
  /// Ignores what allocate() did not give.
  void release(void *Pointer);
  /// Addresses for \p Bytes of memory that is shown there later, at a multiple
  /// of \p Alignment; null when there are none left.
  void *reserve(size_t Bytes, size_t Alignment);
  /// Makes \p Bytes of \p Pages, which are shared memory, those at \p Pointer
  /// as well. They are part of the allocation beside them, if there is one.
  /// False where that is in use, or no address of the device.
  bool show(void *Pointer, void *Pages, size_t Bytes);
  /// Takes away what is shown there.
  void hide(void *Pointer, size_t Bytes);
  /// As memset; keeps pages of zeros unwritten where it can.
  void fill(void *Pointer, int Value, size_t Bytes);
  /// As memmove.
  void copy(void *To, const void *From, size_t Bytes);
  /// The allocation of \p Pointer, or all of them, hold what a kernel has
  /// written; or would have, had it run: what they hold is not known then. What
  /// lies before \p Pointer stays known: programs cut one allocation into many
  /// arrays, and a kernel writes at and behind what it is given.
  void setKnown(const void *Pointer, bool IsKnown);
  void setAllKnown(bool IsKnown);
  /// The bytes at and behind \p Pointer that are what they would be if kernels
  /// had run.
  size_t knownBytesFrom(const void *Pointer);
  bool isKnown(const void *Pointer) { return knownBytesFrom(Pointer) != 0; }
  /// Changes whenever what the allocation of \p Pointer holds is changed, or
  /// no longer known.
  uint64_t version(const void *Pointer);
  /// The host writes to the allocation of \p Pointer without saying so.
  bool isWrittenByHost(const void *Pointer);
  /// The bytes from \p Pointer to the end of its allocation; 0 for other
  /// memory.
  size_t bytesFrom(const void *Pointer);
  /// Where a whole allocation is.
  struct Range {
    void *Start = nullptr;
    size_t Bytes = 0;
  };
  /// That of \p Pointer; no bytes for other memory.
  Range rangeOf(const void *Pointer);

private:
  struct Allocation {
    size_t Bytes = 0;
    /// Of its start, the bytes whose contents are known.
    size_t KnownBytes = 0;
    bool IsWrittenByHost = false;
    /// Shared memory that show() has brought.
    bool IsShown = false;
    uint64_t Version = 0;
  };
  static Allocation joined(const Allocation &First, const Allocation &Second);
  using AllocationMap = std::map<uintptr_t, Allocation>;
  /// The allocation that holds \p Pointer; the end for other memory.
  AllocationMap::iterator find(const void *Pointer);
  bool isShown(const void *Pointer);

  std::mutex Lock;
  /// Where the next allocation should be.
  uintptr_t Next;
  /// The last version that an allocation has had.
  uint64_t NumVersions = 0;
  /// The host has read what a kernel would have written.
  bool HostHasUnknown = false;
  /// By address.
  AllocationMap Allocations;
};

/// The memory of the program's only device.
DeviceMemory &deviceMemory();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_DEVICEMEMORY_H
