//===- L1Cache.h - Least recently used lines of one SM ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A fully associative L1: lines have a tag and a valid bit per sector. Loads
/// hit valid sectors and fetch the others. Stores write through; they hit when
/// the tag is present and put it there otherwise (measured on an H200: stores
/// to lines that nothing loaded hit 31 times of 32 when 32 follow each other
/// in a line, and a store never makes a later partial load hit).
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CACHES_L1CACHE_H
#define GPUOCC_LIB_CACHES_L1CACHE_H

#include "gpuocc/Lanes/WalkedLaunch.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <vector>

namespace gpuocc {

/// Who touched a line last.
struct Toucher {
  uint32_t Block = 0, Warp = 0;
};

/// What a touch found.
struct TouchResult {
  uint8_t HitSectors = 0;
  /// The line was not there.
  bool IsNew = false;
  /// Meaningful if a sector hits.
  Toucher Before;
  /// Turns in which something of the line was last fetched, and last fetched or
  /// written.
  uint64_t FetchedAt = 0, VisitedAt = 0;
};

class L1Cache {
public:
  explicit L1Cache(uint64_t CapacityLines) : Capacity(CapacityLines) {}

  uint64_t capacity() const { return Capacity; }

  /// \p Turn counts the accesses that each warp has made so far.
  TouchResult touch(const LineTouch &T, bool IsStore, Toucher By,
                    uint64_t Turn = 0);

  /// Forgets what lies in global memory, as behind a fence of the GPU.
  void invalidate() { ++Epoch; }

  /// Makes room as if \p Lines other lines had been fetched.
  void age(uint64_t Lines);

private:
  struct Entry {
    uint64_t Line = 0;
    uint32_t Older = None, Newer = None;
    /// Lines that the entry takes; 0 when it is free.
    uint64_t Size = 0;
    uint64_t FetchedAt = 0, VisitedAt = 0;
    /// Fences before it was touched last.
    uint64_t Epoch = 0;
    uint8_t Valid = 0;
    bool IsLocal = false;
    Toucher Last;
  };
  static constexpr uint32_t None = ~uint32_t(0);

  void unlink(uint32_t I);
  void makeNewest(uint32_t I);
  /// A newest entry of \p Size lines; the oldest ones make room.
  uint32_t insert(uint64_t Line, uint64_t Size);

  uint64_t Capacity;
  uint64_t Used = 0, Epoch = 0;
  /// Stands-ins of age() have names that no address has.
  uint64_t NextStandIn = uint64_t(1) << 62;
  std::vector<uint32_t> Free;
  llvm::DenseMap<uint64_t, uint32_t> Index;
  std::vector<Entry> Entries;
  uint32_t Oldest = None, Newest = None;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_CACHES_L1CACHE_H
