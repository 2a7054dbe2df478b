//===- ResidentBlocks.h - Blocks that the chip holds at a time --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_GRID_RESIDENTBLOCKS_H
#define GPUOCC_LIB_MODEL_GRID_RESIDENTBLOCKS_H

#include "Numbers/Numbers.h"
#include "gpuocc/Device/DeviceModel.h"

namespace gpuocc {

/// Blocks that \p Device, whose numbers are \p N, holds at a time, \p
/// BlocksPerSm on an SM, in clusters of \p ClusterBlocks. A cluster lies within
/// one group of SMs, which holds whole ones only and none of more blocks than
/// the group has SMs. Source: cudaOccupancyMaxActiveClusters on an H200, 1 to 4
/// blocks an SM, clusters of 1 to 16; the table "sm_groups" gives all 64.
double residentBlocks(unsigned ClusterBlocks, unsigned BlocksPerSm,
                      const DeviceModel &Device, Numbers &N);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_GRID_RESIDENTBLOCKS_H
