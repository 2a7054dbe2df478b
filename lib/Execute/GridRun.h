//===- GridRun.h - The blocks of a launch on the cores ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_GRIDRUN_H
#define GPUOCC_LIB_EXECUTE_GRIDRUN_H

#include "BlockPlace.h"
#include "FaultGuard.h"
#include "LoopTurns.h"
#include "ReadSample.h"
#include "Retarget.h"
#include "gpuocc/Execute/Executor.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <optional>

namespace gpuocc::execute {

/// A kernel whose code is there.
struct CompiledKernel {
  HostKernel Host;
  /// ThreadEntry or BlockEntry.
  void *Entry = nullptr;
  /// Where dynamic shared memory begins.
  uint64_t StaticSharedBytes = 0;
};

/// The blocks of a cluster of \p Launch.
ExecuteExtent clusterOf(const CompiledKernel &Kernel,
                        const ExecuteLaunch &Launch);

/// One launch that runs. Blocks start in the order of their numbers.
class GridRun {
public:
  GridRun(const CompiledKernel &Kernel, const ExecuteLaunch &Launch,
          BlockPlaces &Places, uint64_t GridId);

  /// The blocks of \p Sample run as \p Kernel, which keeps what they read
  /// there.
  void watch(const CompiledKernel &Kernel, ReadSample &Sample) {
    Watched = &Kernel;
    this->Sample = &Sample;
    Common.Sample = &Sample;
  }

  /// Counts the turns of loops in \p Turns; the kernel does so.
  void count(LoopTurns &Turns) { this->Turns = &Turns; }

  /// Counts in \p Paths what warps do; the kernel's threads tell.
  void count(GridPaths &Paths) { this->Paths = &Paths; }

  /// Runs blocks \p Numbers and no others, in that order, as long as what they
  /// are counted for goes on. Their kernel waits for no other block.
  void only(std::vector<uint64_t> Numbers) {
    Only = std::move(Numbers);
    NumBlocks = Only.size();
  }

  /// Runs all blocks on \p NumWorkers cores. Fails when a thread fails or when
  /// all wait.
  llvm::Error run(llvm::ThreadPoolInterface &Pool, unsigned NumWorkers);

  /// What a user should know when it has run; empty: nothing.
  std::string warning() const;

private:
  enum class Outcome : uint8_t { Good, Failed, Stuck, NoMemory };

  void work(unsigned Worker);
  void runInTurn(unsigned Worker);
  void runWithStacks(unsigned Worker);
  /// What runs \p Block.
  const CompiledKernel &kernelOf(const BlockState &Block) const {
    return Block.Seen ? *Watched : Kernel;
  }
  /// Fills \p Block with block \p Rank of cluster \p Number.
  void place(BlockState &Block, uint64_t Number, uint32_t Rank);
  /// \p Block has ended.
  void noteEnd(BlockState &Block);
  /// The number of the next cluster; nothing where none is left, or where it
  /// has to wait for blocks that the core holds.
  std::optional<uint64_t> take(bool HoldsBlocks);
  /// Has cluster \p Number to start when all before it have ended, and some
  /// have not?
  bool hasToWait(uint64_t Number) const;
  /// Starts the blocks of the next cluster.
  bool startNext(std::vector<BlockPlace> &Active, unsigned Worker);
  bool start(BlockState &Block, std::vector<BlockPlace> &Active);
  /// May a core that runs \p NumActive blocks take one more that need not run
  /// now?
  bool mayStart(size_t NumActive) const;
  void end(Outcome Why) { Result = Why; }
  bool goesOn() const { return Result == Outcome::Good; }
  void noteFault(const Fault &F);
  void noteOutside(const Fault &F);

  const CompiledKernel &Kernel;
  const CompiledKernel *Watched = nullptr;
  ReadSample *Sample = nullptr;
  LoopTurns *Turns = nullptr;
  GridPaths *Paths = nullptr;
  const ExecuteLaunch &Launch;
  BlockPlaces &Places;
  uint64_t NumBlocks;
  /// The numbers of those that run; empty: all.
  std::vector<uint64_t> Only;
  /// Blocks of a cluster.
  const uint64_t NumTogether;
  const unsigned NumThreads;
  /// Threads of all cores that draw at the same time.
  const uint64_t MostTogether;
  BlockState Common = {};
  alignas(64) char Workspace[64] = {};
  std::atomic<uint64_t> Next = 0;
  std::atomic<uint64_t> NumEnded = 0;
  /// Some block waits for others, which may be later ones, or shares work with
  /// them.
  std::atomic<bool> BlocksWait = false;
  std::atomic<Outcome> Result = Outcome::Good;
  std::atomic<bool> AssertionFailed = false;
  std::mutex ClusterLock;
  std::vector<std::unique_ptr<ClusterState>> Clusters;
  std::mutex FaultLock;
  /// The first of all cores.
  std::optional<Fault> Faulted, Outside;
};

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_GRIDRUN_H
