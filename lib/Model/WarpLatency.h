//===- WarpLatency.h - How long one warp takes alone ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_WARPLATENCY_H
#define GPUOCC_LIB_MODEL_WARPLATENCY_H

#include "LoopTurns.h"
#include "Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Model/RandomTime.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <tuple>

namespace gpuocc {

/// Delays that load adds to the unloaded latencies, cycles.
struct MemoryDelay {
  double L2 = 0, Dram = 0;
};

/// Issues the instructions of one warp in order on a scoreboard, over the
/// expected path of the profile: blocks in program order weighted by their
/// executions, loops until their period is steady.
///
/// Waits for memory vary. A warp that waits for several loads waits for the
/// latest, and at a barrier or the end of a block for the slowest warp.
///
/// Source: Volkov 2016, section 3.7. Differs in that blocks are first scheduled
/// as an optimizing assembler does, that loops are extrapolated, and that
/// latencies have a variance (RandomTime).
class WarpLatency {
public:
  WarpLatency(const KernelFacts &Facts, const ExecutionProfile &Profile,
              unsigned WarpsPerBlock, Numbers &N);

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

  struct Unloaded {
    /// cycles(MemoryDelay()).
    double Cycles = 0;
    /// Of these: waits for L2 or DRAM that are the first since a loop branched
    /// back.
    double WaitsAfterBranchesBack = 0;
  };
  Unloaded unloaded() const;

  /// Cycles when what L2 and DRAM deliver is there at once: the part of the
  /// warp's life that the SM itself takes. If instructions of \p Instant take
  /// no time either, they are less by the cycles in which the warp waits for
  /// that pipe and nothing else.
  double cyclesOnSm(std::optional<Resource> Instant = std::nullopt) const;

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
  double issueCycles(uint32_t Op) const { return Nodes[Op].IssueCycles; }

  /// A loop of straight code that waits for neither L2, DRAM nor other warps.
  struct SteadyLoop {
    /// One pass, in the order of issue: several iterations where the loop is
    /// unrolled.
    std::vector<LoopInstruction> Body;
    double PassesPerWarp = 0;
    /// Of an SM, which share a stage of shared memory.
    unsigned Schedulers = 1;
    bool AreInStep = true;
    /// Cycles that one pass keeps the scheduler, and each pipe, from others.
    double IssueCycles = 0;
    PerResource<double> PipeCycles = {};
  };
  /// The one that issues most, if there is any.
  std::optional<SteadyLoop> steadyLoop() const;

  /// The steps that make up cycles(MemoryDelay()), in issue order; only steps
  /// that wait.
  std::vector<LatencyStep> criticalPath() const;

private:
  struct Node {
    /// Cycles of the scheduler, and after how many of them the warp can issue
    /// its next instruction.
    double IssueCycles = 0, GoesOnAfter = 0;
    /// Cycles of the pipe.
    double PipeCycles = 0;
    uint8_t Pipe = 0;
    /// Pipe cycles with what an assembler does not see: bank conflicts, and the
    /// other schedulers.
    double TurnCycles = 0;
    /// The same when warps take turns: what one alone cannot use is not lost.
    double SharedTurnCycles = 0;
    /// Cycles of the stage of shared memory, which all schedulers share.
    double StageCycles = 0;
    /// Latency without load, and the parts of it that load adds to.
    double Latency = 0;
    double L2Share = 0, DramShare = 0;
    /// What load adds to the slowest line of a request, over what it adds to
    /// one line in the mean: queueing does as much as it delays.
    double SlowestLine = 1;
    /// Variance of the latency: waits for memory differ from one to the next.
    double LatencyVariance = 0;
    /// Loads of lines that DRAM brings together, by number, and what of their
    /// variance they have in common.
    uint32_t Neighborhood = NoIndex;
    double CommonVariance = 0;
    /// Cycles until the warp can go on (branches, barriers).
    double Gap = 0;
    /// First and last instruction of the operation, where what feeds it or
    /// waits for it may see another latency.
    InstClass First = InstClass::Unknown, Last = InstClass::Unknown;
    bool WaitsForAll = false;
    bool IsBarrier = false;
    /// A warp leaves when L1 has taken its stores.
    bool IsExit = false, IsStore = false;
    /// Issued once for all copies of an unrolled body: steps of counters, the
    /// comparison and the branch.
    bool IsOncePerPass = false;
  };
  /// An operation of one copy of the body of a loop.
  struct Turn {
    uint32_t Op = 0;
    uint32_t Copy = 0;
    /// Cycles that the assembler lets pass before the next instruction, so that
    /// what takes fixed times is there; of the rest scoreboards keep track.
    double StallCycles = 0;
  };
  struct Arrival;
  struct State;
  class Walk;

  /// The delay that cancels the unloaded latency of L2 and DRAM.
  MemoryDelay noMemory() const;
  void findExtraLatencies();
  void addNode(uint32_t Op);
  void findNeighborhoods();
  void addInputs(uint32_t Op);
  double branchGap(uint32_t Op);
  double codeBytes(uint32_t L) const;
  bool areInStep(uint32_t Block) const;
  double fetchWait(uint32_t L) const;
  /// What the latency of \p Producer differs by when \p Consumer uses the
  /// result as \p Use.
  double extraLatency(InstClass Producer, InstClass Consumer,
                      OperandUse Use) const;
  /// The same for operand \p O of \p Op.
  double extraLatency(const Operation &Op, const Operand &O) const;
  double accessLatency(const MemoryAccess &A, const AccessProfile &P,
                       Node &Out);
  /// Copies of the body of a loop that an assembler schedules together: the
  /// passes of an unrolled loop; 1 elsewhere.
  unsigned findCopies(uint32_t Block) const;
  bool isSteady(uint32_t Block) const;
  /// The order in which \p Copies of \p Blocks, which are scheduled as one, are
  /// issued.
  std::vector<Turn> schedule(llvm::ArrayRef<uint32_t> Blocks,
                             unsigned Copies) const;
  /// \p PlaceOf has the operations that were scheduled together.
  void addStalls(const llvm::DenseMap<uint32_t, uint32_t> &PlaceOf,
                 unsigned Copies, llvm::MutableArrayRef<Turn> Turns) const;
  void orderRegions();

  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  unsigned WarpsPerBlock;
  /// Deviations by which the last warp of a block is behind their mean.
  double LastOfBlock;
  Numbers &N;
  /// What findCopies() found for each block.
  std::vector<unsigned> CopiesOf;
  std::vector<Node> Nodes;
  /// A result that an operation uses, and what its latency then differs by.
  struct Input {
    uint32_t Op;
    double ExtraLatency;
  };
  /// Of all operations, in their order; those of one begin at FirstInput.
  std::vector<Input> Inputs;
  std::vector<uint32_t> FirstInput;
  llvm::ArrayRef<Input> inputsOf(uint32_t Op) const {
    return llvm::ArrayRef(Inputs).slice(FirstInput[Op],
                                        FirstInput[Op + 1] - FirstInput[Op]);
  }
  PerResource<bool> UsedPipes = {};
  bool SomeWaitForL2 = false, SomeWaitForDram = false;
  std::map<Dependence, double> ExtraLatency;
  /// The same for the pipes of producer and consumer, where they differ.
  using PipePair = std::tuple<Resource, Resource, OperandUse>;
  std::map<PipePair, double> ExtraBetweenPipes;
  /// Operations of each block in scheduled order, and those of one pass where
  /// the block is an unrolled body.
  /// The block that each one is scheduled with; itself if it comes first.
  std::vector<uint32_t> FirstOfRegion;
  /// Of blocks that are the first of their region; empty for the others.
  std::vector<std::vector<Turn>> Order, PassOrder;
  /// Children of a loop (index + 1) or of the kernel (0): blocks, and inner
  /// loops encoded as Facts.Blocks.size() + loop, in reverse post-order.
  std::vector<std::vector<uint32_t>> Regions;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_WARPLATENCY_H
