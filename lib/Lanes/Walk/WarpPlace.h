//===- WarpPlace.h - The warp that special registers speak of ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_WARPPLACE_H
#define GPUOCC_LIB_LANES_WALK_WARPPLACE_H

#include "Walk/LaneValue.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"

namespace gpuocc {

/// One warp of a grid.
class WarpPlace {
public:
  WarpPlace() = default;
  /// Extents are 1 at least. \p GridTaint: what those of \p Grid rest on.
  WarpPlace(Dim3 Grid, Dim3 Block, Dim3 Cluster, uint64_t DynamicSharedBytes,
            TaintMask GridTaint);

  /// Chooses warp \p Warp of the block at \p Index. \returns the lanes that
  /// hold threads.
  LaneMask select(Dim3 Index, unsigned Warp);

  LaneValue specialRegister(SpecialReg R) const;

  unsigned warp() const { return Warp; }
  unsigned warpsPerBlock() const { return NumWarps; }
  /// The number of the block in the grid.
  uint64_t blockNumber() const {
    return Index.X + Grid.X * (Index.Y + Grid.Y * Index.Z);
  }

private:
  Dim3 Grid, Block, Cluster;
  uint64_t DynamicSharedBytes = 0;
  TaintMask GridTaint = 0;
  unsigned NumWarps = 1;
  Dim3 Index;
  unsigned Warp = 0;
  LaneValue Tid[3];
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_WARPPLACE_H
