//===- BlockRun.h - Threads of a block that meet ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_BLOCKRUN_H
#define GPUOCC_LIB_EXECUTE_BLOCKRUN_H

#include "Stack.h"
#include "State.h"
#include "WarpOperation.h"
#include <array>
#include <vector>

namespace gpuocc::execute {

/// Forms of a barrier; generated code has them as numbers.
enum class BarrierForm : uint32_t { Sync, Arrive, Count, And, Or };

/// The code of a kernel: \p Arguments points to each of them.
using ThreadEntry = void (*)(ThreadState *Thread, void **Arguments);

/// The threads of one block, each with a stack of its own, on one core. They
/// run one after the other; who has to wait for others lets them run.
class BlockRun {
public:
  enum class Status : uint8_t {
    /// All threads have ended.
    Done,
    /// Threads look again and again at what another block may change.
    Waits,
    /// Each thread has had its turn at what all blocks share, or waits for one
    /// that has.
    HadTurn,
    /// Each thread waits, and none will come.
    Stuck,
    /// A thread failed.
    Failed
  };

  /// For blocks of up to \p MostThreads threads.
  BlockRun(unsigned MostThreads, size_t StackBytes);

  /// Prepares the threads of \p Block, whose Run is this then.
  void start(const BlockState &Block, ThreadEntry Entry, void **Arguments);
  /// Runs them until they end or wait for other blocks; then it may be called
  /// again.
  Status run();

  BlockState &block() { return Block; }
  /// The thread that runs, or ran last.
  ThreadState &running() { return Resumed->Thread; }

  // Called by the threads.
  /// What \p Thread asks for next.
  static WarpRequest &requestOf(ThreadState &Thread) {
    return laneOf(Thread).Request;
  }
  uint64_t meet(ThreadState &Thread);
  uint32_t barrier(ThreadState &Thread, BarrierForm Form, uint32_t Id,
                   uint32_t Count, bool Predicate);
  void yield(ThreadState &Thread);
  /// Lets the threads of other blocks run when those of this one have.
  void waitForOthers(ThreadState &Thread);
  /// Lets all other threads come to such a place, as far as they need not wait
  /// for \p Thread: those of the block, and of the grid where \p OfGrid.
  void takeTurn(ThreadState &Thread, bool OfGrid);
  [[noreturn]] void exit(ThreadState &Thread);
  [[noreturn]] void fail(ThreadState &Thread);

private:
  struct Lane {
    /// The first member: lanes are found by it.
    ThreadState Thread;
    void *Stack = nullptr;
    WarpRequest Request = {};
  };
  struct Warp {
    /// Lanes that have not ended; that can run; that ask for an operation of
    /// the warp; that have had their turn.
    uint32_t Alive = 0, Ready = 0, Asking = 0, Resting = 0;
  };
  struct Barrier {
    uint32_t Arrived = 0, Expected = 0, Holding = 0;
    uint32_t Answer = 0;
    BarrierForm Form = BarrierForm::Sync;
    std::array<uint32_t, 32> Waiting = {};
  };

  static Lane &laneOf(ThreadState &Thread) {
    return reinterpret_cast<Lane &>(Thread);
  }
  static void startThread();
  Warp &warpOf(const Lane &L) { return Warps[L.Thread.Rank / WarpLanes]; }
  static uint32_t bitOf(const Lane &L) {
    return 1u << (L.Thread.Rank % WarpLanes);
  }
  void setReady(unsigned WarpIdx, uint32_t Lanes);
  void setUnready(Lane &L);
  /// Leaves with \p Why when this was called \p Most times, and lets another
  /// thread run otherwise.
  void pass(Lane &L, unsigned Most, Status Why);
  /// Makes those ready that have had their turn. \returns one of them; null
  /// where none has.
  Lane *wake();
  /// The same for \p L, which cannot go on, and lets them go on.
  void rest(Lane &L);
  /// Lets another thread run until \p L is ready again.
  void wait(Lane &L);
  void switchTo(Lane &From, Lane *To);
  /// The next lane that can run, \p From last; null where none can.
  Lane *next(const Lane &From);
  /// The lanes of \p WarpIdx that ask for what \p L does and are complete; 0
  /// where some have not come.
  uint32_t complete(const Lane &L);
  void answerLanes(unsigned WarpIdx, uint32_t Members);
  /// Answers the lanes of a warp that have come to the same place, where no
  /// other can come. \p WithMask: also operations that name their lanes.
  bool answerStranded(unsigned WarpIdx, bool WithMask);
  bool releaseIfComplete(Barrier &B);
  void release(Barrier &B);
  bool releaseStuck();
  /// Goes back to run().
  void leave(Lane &L, Status Why);
  void end(Lane &L);

  BlockState Block = {};
  ThreadEntry Entry = nullptr;
  void **Arguments = nullptr;
  /// One more than there are threads, so that each has one behind it.
  std::vector<Lane> Lanes;
  std::array<Warp, 32> Warps;
  std::array<Barrier, 16> Barriers;
  /// Barriers that some have come to.
  uint32_t OpenBarriers = 0;
  /// Warps with a lane that can run.
  uint32_t ReadyWarps = 0;
  unsigned NumWarps = 0, NumAlive = 0;
  unsigned NumYields = 0;
  /// Of all warps.
  unsigned NumResting = 0;
  /// Some of them have had a turn at what all blocks share.
  bool RestsForGrid = false;
  StackMemory Stacks;
  void *MainStack = nullptr;
  Lane *Resumed = nullptr;
  Status Left = Status::Done;
};

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_BLOCKRUN_H
