//===- DramFetches.h - What L2 was made to fetch ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CACHES_DRAMFETCHES_H
#define GPUOCC_LIB_CACHES_DRAMFETCHES_H

#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <cstdint>

namespace gpuocc {

struct MemoryGeometry;

/// True if two turns of warps are fewer than \p Together apart, whichever of
/// the warps the simulation looked at first.
inline bool areTogether(uint64_t Turn, uint64_t Other, unsigned Together) {
  return std::max(Turn, Other) - std::min(Turn, Other) < Together;
}

/// Which parts of lines the SM has made L2 fetch from DRAM, and when.
class DramFetches {
public:
  explicit DramFetches(const MemoryGeometry &G);

  /// The missing \p Sectors of \p Line are asked for in turn \p Turn: true if
  /// all come from fetches that are not together with it (areTogether).
  bool ask(uint64_t Line, uint8_t Sectors, uint64_t Turn, unsigned Together);

  /// What ask said last of \p Line.
  bool lastWasThere(uint64_t Line) const;

private:
  static constexpr unsigned MaxSectorsPerLine = 8;
  struct Fetched {
    uint32_t At[MaxSectorsPerLine] = {};
    uint8_t Known = 0;
    bool LastWasThere = false;
  };
  const unsigned SectorsPerFetch;
  llvm::DenseMap<uint64_t, Fetched> Lines;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_CACHES_DRAMFETCHES_H
