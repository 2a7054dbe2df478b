//===- BlockStores.h - Stores of warps that leave L1 together ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_CACHES_BLOCKSTORES_H
#define GPUOCC_LIB_CACHES_BLOCKSTORES_H

#include "L1Cache.h"
#include "PendingStores.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace gpuocc {

/// Parts of sectors that the warps of a block store in one turn. They leave L1
/// together while it still has the lines that the warp before stored to: few
/// lines of a request it has until the next warp stores, many it has not.
///
/// Source: H100, kernels of one store whose X lanes lie in rows of their own
/// and whose blocks fill the rows up, X times Y threads (Nsight Compute,
/// l1tex2xbar sectors and L2 requests of writes, 2026-11-27). Of 8 rows all
/// parts come together (8x32: 32.5 sectors of a block leave, of 64, where 32
/// are written); of 16 rows a part (16x16: 110 to 115 of 128, as 83 to 96
/// requests, where 16 would do; 16x32: 174 to 209 of 256, as 93 to 147), of 32
/// rows none (32x8: 256 of 256). With loads in front 16x16 takes less time than
/// without. Heuristic: in between by the logarithm of the lines. Lanes in one
/// line are over before the next warp stores, as often as not: on an H200,
/// 65536 blocks of 8 warps that store to one word behind loads take 255 us more
/// than without, one warp of each 71 us (test/accuracy/cures/changedflag.cu),
/// so that 3.6 to 3.8 stores of 8 leave.
class BlockStores {
public:
  explicit BlockStores(std::vector<StoredSectors> &Totals) : Totals(Totals) {}

  /// Warp \p By stores \p Touches in its turn \p Turn.
  void store(uint32_t Access, Toucher By, llvm::ArrayRef<LineTouch> Touches,
             double Weight, uint64_t Turn);

private:
  /// By block and line, the sectors that are stored to.
  llvm::DenseMap<std::pair<uint32_t, uint64_t>, uint8_t> Stored;
  uint64_t OfTurn = 0;
  std::vector<StoredSectors> &Totals;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_CACHES_BLOCKSTORES_H
