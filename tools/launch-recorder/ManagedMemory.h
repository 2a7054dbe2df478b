//===- ManagedMemory.h - Where pages of managed memory are ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_MANAGEDMEMORY_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_MANAGEDMEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace gpuocc::recorder {

/// Bytes of managed memory that a kernel finds elsewhere than on the device.
struct ManagedTouch {
  /// In pages that the host used last: they move.
  uint64_t FromHost = 0;
  /// In pages that nobody has used: they are made.
  uint64_t Fresh = 0;
};

/// Knows for each page of managed memory who has used it last. The first use by
/// the host is seen in the page table of the process, later ones where they
/// change what the page holds; what the host only reads once a kernel has used
/// it counts as the device's still.
class ManagedMemory {
public:
  void add(const void *Pointer, size_t Bytes);
  void remove(const void *Pointer);
  /// All of the pages around the \p Bytes bytes are where the program wants
  /// them.
  void move(const void *Pointer, size_t Bytes, bool ToDevice);
  /// A kernel is about to use the allocation of \p Pointer, which is the
  /// device's then. Nothing for other memory.
  ManagedTouch touch(const void *Pointer);
  /// The kernels that touched have run: what they left is not the host's work.
  void noteRun();

private:
  enum class Owner : uint8_t { Nobody, Device };
  struct Allocation {
    size_t Bytes = 0;
    /// By page; Nobody: where the page table says it is used, the host.
    std::vector<Owner> Owners;
    /// By page, of what it held when the last kernel had run; empty for
    /// allocations that are too large to look at.
    std::vector<uint64_t> Digests;
    bool IsTouched = false;
  };
  using AllocationMap = std::map<uintptr_t, Allocation>;
  AllocationMap::iterator find(const void *Pointer);

  std::mutex Lock;
  /// By address.
  AllocationMap Allocations;
};

/// That of the program.
ManagedMemory &managedMemory();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_MANAGEDMEMORY_H
