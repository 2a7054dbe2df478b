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

/// What a lane does with a word of another block's shared memory.
enum class ClusterAccess : unsigned { Load, Store, Reduction, Atomic };
inline constexpr unsigned NumClusterAccesses = 4;

/// \p Unroll accesses of 4 bytes a lane in a row, by generic addresses. The
/// word of 64 bits that in holds for the lane has the byte of the tile below,
/// and above how many ranks further the block is that has it. Warps are 1152
/// bytes apart; the last byte of a lane may be the 1536th.
TimedKernel clusterAccesses(ClusterAccess Kind, unsigned Blocks,
                            unsigned Unroll);

/// A chain of exchanges there: words hold their own addresses.
TimedKernel clusterExchanges(unsigned Blocks, unsigned Unroll);

/// \p Unroll barriers of all threads of a cluster of \p Blocks in a row, which
/// order accesses to memory where \p Fenced, as cluster.sync() does.
TimedKernel clusterBarriers(unsigned Blocks, bool Fenced, unsigned Unroll);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_CLUSTER_H
