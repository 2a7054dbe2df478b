//===- ClusterAddresses.h - Shared memory of other blocks ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Addresses that mapa computes: the place in shared memory, and above it how
/// many ranks further in the cluster the block is that has it, 0 for one's own.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_CLUSTERADDRESSES_H
#define GPUOCC_KERNEL_CLUSTERADDRESSES_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Where the ranks begin: beyond what any block has of shared memory.
inline constexpr unsigned ClusterRankLog2 = 24;
/// As many as a cluster can have, less one.
inline constexpr uint64_t ClusterRanks = 15;
inline constexpr uint64_t ClusterRankMask = ClusterRanks << ClusterRankLog2;

/// Which accesses have addresses that mapa computed, or that were computed from
/// one of its.
std::vector<bool> accessesOfCluster(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_CLUSTERADDRESSES_H
