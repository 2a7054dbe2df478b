//===- WarpLatency.h - How long one warp takes alone ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_WARPLATENCY_H
#define GPUOCC_LIB_MODEL_LATENCY_WARPLATENCY_H

#include "Latency/SteadyLoop.h"
#include "Latency/WarpCode.h"
#include "Latency/WarpKind.h"
#include "Latency/WarpWalk.h"
#include "gpuocc/Model/Prediction.h"
#include <optional>
#include <vector>

namespace gpuocc {

/// How long one warp takes alone, in the ways that the model asks for: walks
/// through its code (WarpWalk).
///
/// Waits for memory vary. A warp that waits for several loads waits for the
/// latest, and at a barrier or the end of a block for the slowest warp.
///
/// Source: Volkov 2016, section 3.7. Differs in that blocks are first scheduled
/// as an optimizing assembler does, that loops are extrapolated, and that
/// latencies have a variance (RandomTime).
class WarpLatency {
public:
  /// \p Facts, \p Profile and \p N are asked again later.
  WarpLatency(const KernelFacts &Facts, const ExecutionProfile &Profile,
              unsigned WarpsPerBlock, Numbers &N);

  /// The same of warp \p Slowest of a block whose barriers wait for warps of
  /// \p Others, too; both are asked again later.
  WarpLatency(const KernelFacts &Facts, const WarpKind &Slowest,
              llvm::ArrayRef<WarpKind> Others, unsigned WarpsPerBlock,
              Numbers &N);

  /// Cycles from the first issue of a warp to its exit.
  double cycles(const MemoryDelay &Delay) const;

  /// Cycles from the exit of the average warp of a block to that of its last
  /// one, since the last barrier. The slots of the block are held that long.
  /// Loads outside of loops do not count: warps that start together ask for
  /// neighbouring lines, and these come together (on an H200 a block that loads
  /// 1 KiB with 4 warps lives 20 cycles longer than one of 1 warp, where
  /// latencies on their own would make it 170). What more of them take is
  /// loadBurstCycles.
  double spreadOfBlock() const;

  /// A block whose warps meet at barriers.
  struct WholeBlock {
    double Warps = 0;
    /// Cycles that it takes with an SM to itself, from its first issue to the
    /// exit of its last warp.
    double Cycles = 0;
    /// Of these: those in which all its warps ask for one unit, which they do
    /// between two barriers and two waits for memory. In loops that wait for
    /// memory its warps come apart, and hold nothing together.
    double HeldCycles = 0;
  };
  /// Nothing where the warps of a block do not meet. The other warps ask for
  /// what the mean of them does, which is \p Mean.
  std::optional<WholeBlock> wholeBlock(const ExecutionProfile &Mean) const;

  struct Unloaded {
    /// cycles(MemoryDelay()).
    double Cycles = 0;
    /// Of these: waits for L2 or DRAM that are the first since a loop branched
    /// back.
    double WaitsAfterBranchesBack = 0;
    /// Of these: at barriers.
    double BarrierCycles = 0;
  };
  Unloaded unloaded() const;

  /// Cycles when what L2 and DRAM deliver is there at once: the part of the
  /// warp's life that the SM itself takes. If instructions of \p Instant take
  /// no time either, they are less by the cycles in which the warp waits for
  /// that pipe and nothing else.
  double cyclesOnSm(std::optional<Resource> Instant = std::nullopt) const;

  /// Instructions of each class that need no slot of the scheduler of their own
  /// (issuedTogether); \p Mean is the mean warp of the block.
  PerInstClass<double> issuedTogether(const ExecutionProfile &Mean) const;

  /// False if no instruction of \p Pipe is there: cyclesOnSm is then the same
  /// without it.
  bool uses(Resource Pipe) const { return UsedPipes[size_t(Pipe)]; }
  /// False if cycles does not depend on that delay.
  bool waitsForL2() const { return SomeWaitForL2; }
  bool waitsForDram() const { return SomeWaitForDram; }

  /// One walk through the code that goes round each loop once.
  struct OnePass {
    double Cycles = 0;
    /// Cycle at which each operation issues; negative if it is never reached.
    std::vector<double> IssueCycle;
  };
  OnePass onePass() const;

  /// Scheduler cycles of one execution of operation \p Op.
  double issueCycles(uint32_t Op) const { return Code.Graph[Op].IssueCycles; }

  /// The steady loop that issues most, if there is any.
  std::optional<SteadyLoop> steadyLoop() const;

  /// gpuocc::cyclesBetweenPasses of \p Loop, remembered for other predictions.
  std::vector<double> cyclesBetweenPasses(const SteadyLoop &Loop,
                                          unsigned MaxWarps,
                                          double LeastCycles) const;

  /// The steps that make up cycles(MemoryDelay()), in issue order; only steps
  /// that wait.
  std::vector<LatencyStep> criticalPath() const;

private:
  /// Walks through the code, and calls \p Read with the walk and its cycles;
  /// before, the other kinds of warps are walked as far as barriers ask for.
  void noteUses(const WarpCode &Of);
  template <typename Function>
  auto walk(WalkOptions Options, Function Read) const;

  WarpCode Code;
  std::vector<WarpCode> Others;
  Numbers &N;
  PerResource<bool> UsedPipes = {};
  bool SomeWaitForL2 = false, SomeWaitForDram = false;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_WARPLATENCY_H
