//===- PendingStores.h - Stores that leave L1 together ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CACHES_PENDINGSTORES_H
#define GPUOCC_LIB_CACHES_PENDINGSTORES_H

#include "L1Cache.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace gpuocc {

/// The stored sectors of one access, and those that leave together with what
/// an earlier store put there.
struct StoredSectors {
  double All = 0, Merged = 0;
};

/// The lines of the stores of a warp that L1 has not passed on yet. How many it
/// still has when the next store comes depends on what other warps do: where
/// warps have waited for loads, their stores come apart from those of others.
///
/// Source: H200, K floats of records of S floats, stored one after the other
/// (Nsight Compute, sectors of writes, 2026-11-21). Three stores to 3 lines
/// arrive as 13.2 sectors of 36, with 32 cycles between them as 17.6, with 256
/// as 33.7. Stores to 4, 5 and 6 lines merge by half, to 7 and more by less (8
/// lines: 122 of 128). Of records of 7 lines that are loaded, changed and
/// stored 48 of 84 sectors leave; after one load of the record it is 12, 16,
/// 20, 25, 37, 52, 67, 84 and 96 sectors for 3, 4, 5, 6, 7, 8, 12, 16 and 32
/// lines, of which 12 to 32 are written.
class PendingStores {
public:
  explicit PendingStores(std::vector<StoredSectors> &Totals) : Totals(Totals) {}

  /// The warp stores \p Touches. Only those of one pass through the accesses of
  /// a \p Group are in a row.
  void store(uint32_t Access, llvm::ArrayRef<LineTouch> Touches, double Weight,
             unsigned Group);
  /// The warp loads something.
  void load() { HasLoaded = true; }
  /// Another warp begins.
  void clear();

private:
  /// Share of the pending lines that are still there.
  double kept() const;

  static constexpr size_t MostLines = 16;
  struct Pending {
    uint64_t Line = 0;
    uint8_t Sectors = 0;
  };
  llvm::SmallVector<Pending, MostLines> Lines;
  unsigned CurrentGroup = 0;
  /// Accesses of the group that have stored in this pass.
  llvm::SmallVector<uint32_t, 8> Passed;
  bool HasLoaded = false;
  std::vector<StoredSectors> &Totals;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_CACHES_PENDINGSTORES_H
