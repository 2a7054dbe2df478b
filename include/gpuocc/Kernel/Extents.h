//===- Extents.h - Dimensions of grids and blocks ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_EXTENTS_H
#define GPUOCC_KERNEL_EXTENTS_H

#include "gpuocc/Kernel/Launch.h"

namespace gpuocc {

/// X, Y or Z of \p D, by \p Dimension 0 to 2.
inline uint64_t &extent(Dim3 &D, unsigned Dimension) {
  return Dimension == 0 ? D.X : Dimension == 1 ? D.Y : D.Z;
}

/// The block of number \p Linear of \p Grid, counted along x, then y, then z.
inline Dim3 blockAt(Dim3 Grid, uint64_t Linear) {
  return {Linear % Grid.X, Linear / Grid.X % Grid.Y,
          Linear / (Grid.X * Grid.Y)};
}

} // namespace gpuocc

#endif // GPUOCC_KERNEL_EXTENTS_H
