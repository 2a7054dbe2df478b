//===- Cluster.h - Microkernels of blocks in a cluster ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels that read the shared memory of other SMs, and bulk copies from
/// global to shared memory. Compute capability 9.0 and later.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_CLUSTER_H
#define GPUOCC_CALIBRATION_KERNELS_CLUSTER_H

#include "Ptx.h"

namespace gpuocc::calibration {

/// Dependent 64-bit loads from the shared memory of another block of a cluster
/// of \p Blocks: block b reads that of block (b + x) mod \p Blocks.
TimedKernel clusterChase(unsigned Blocks, unsigned Unroll);

/// \p Loads independent loads of 16 bytes a lane from there, in a row.
TimedKernel clusterLoads(unsigned Blocks, unsigned Loads);

/// One bulk copy (the bulk form of the TMA, no tensor map) of \p Bytes a loop
/// iteration, waited for before the next: x = buffer, y = bytes between copies,
/// z = bytes of the buffer - 1. One thread.
TimedKernel bulkCopy(unsigned Bytes);

/// \p Stages bulk copies of \p Bytes in flight, by one thread of each block;
/// block b begins at b * y, then steps by y times the number of blocks.
TimedKernel bulkStream(unsigned Bytes, unsigned Stages);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_CLUSTER_H
