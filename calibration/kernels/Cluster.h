//===- Cluster.h - Microkernels of blocks in a cluster ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels that read the shared memory of other SMs or wait for them. Compute
/// capability 9.0 and later.
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

/// \p Unroll barriers of all threads of a cluster of \p Blocks in a row, which
/// order accesses to memory where \p Fenced, as cluster.sync() does.
TimedKernel clusterBarriers(unsigned Blocks, bool Fenced, unsigned Unroll);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_CLUSTER_H
