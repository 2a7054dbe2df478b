//===- State.h - What a thread of a kernel reads ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_STATE_H
#define GPUOCC_LIB_EXECUTE_STATE_H

#include <atomic>
#include <csetjmp>
#include <cstdint>

namespace gpuocc {
struct SeenBlock;
}

namespace gpuocc::execute {

class BlockPaths;
class BlockRun;
class BlockTurns;
class ReadSample;

/// A block that runs. Generated code reads the fields by their offsets.
struct BlockState;

/// The blocks of a cluster, which run on one core.
struct ClusterState {
  static constexpr uint32_t MostBlocks = 16;
  /// By their number in the cluster.
  BlockState *Blocks[MostBlocks];
  /// Threads that have not ended, and those that wait for the others.
  uint32_t NumThreads;
  uint32_t Arrived;
  /// How often all have come.
  uint32_t Phase;

  void endPhaseIfComplete() {
    if (Arrived == 0 || Arrived < NumThreads)
      return;
    Arrived = 0;
    ++Phase;
  }
};

struct BlockState {
  /// blockIdx, blockDim and gridDim, x first.
  uint32_t Index[3];
  uint32_t BlockSize[3];
  uint32_t GridSize[3];
  /// The cluster of the block, clusters of the grid, the block in its cluster,
  /// and blocks of a cluster.
  uint32_t ClusterIndex[3];
  uint32_t NumClusters[3];
  uint32_t InCluster[3];
  uint32_t ClusterSize[3];
  uint32_t ClusterRank;
  uint32_t ClusterBlocks;
  /// Given at the launch, and with the variables of the kernel.
  uint32_t DynamicSharedBytes;
  uint32_t SharedBytes;
  /// The number of the core, and how many there are.
  uint32_t Worker;
  uint32_t NumWorkers;
  uint64_t GridId;
  /// Below 4 GiB, so that code may keep addresses in 32 bits.
  char *Shared;
  /// Zeros at the start of the launch: what cooperative groups count in that
  /// wait for the whole grid. Null in launches that are not cooperative.
  void *GridWorkspace;
  /// The threads of the block, where each has a stack of its own; null where
  /// one follows the other.
  BlockRun *Run;
  /// Null where a block is a cluster, or has no threads with stacks.
  ClusterState *Cluster;
  /// Set by a thread whose assertion does not hold.
  std::atomic<bool> *AssertionFailed;
  /// Where a thread that fails goes on; used where Run is null.
  std::jmp_buf *Failed;
  /// Where what its threads read is kept, and the sample that this belongs to;
  /// null where it is not kept.
  SeenBlock *Seen;
  ReadSample *Sample;
  /// Where turns of loops are counted; null where they are not.
  BlockTurns *Turns;
  /// What its threads tell of where they are; null where nobody asks.
  BlockPaths *Paths;
};

/// A thread that runs. Each function of a kernel gets a pointer to its own as
/// first argument.
struct ThreadState {
  /// threadIdx, x first.
  uint32_t Index[3];
  /// Its number in the block, by which warps are made.
  uint32_t Rank;
  BlockState *Block;
  /// ClusterState::Phase when the thread came to the barrier of its cluster.
  uint32_t ClusterPhase;
};

constexpr unsigned WarpLanes = 32;

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_STATE_H
