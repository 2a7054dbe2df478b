//===- LatencyGraph.h - What each operation makes a warp wait ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_LATENCYGRAPH_H
#define GPUOCC_LIB_MODEL_LATENCY_LATENCYGRAPH_H

#include "Latency/AsyncGroups.h"
#include "Latency/InstructionFetch.h"
#include "Numbers/OperationLatency.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <optional>
#include <vector>

namespace gpuocc {

class Numbers;
struct ExecutionProfile;

/// An operation as the scoreboard of a warp sees it.
struct LatencyNode {
  /// Cycles of the scheduler, and after how many of them the warp can issue
  /// its next instruction.
  double IssueCycles = 0, GoesOnAfter = 0;
  /// Cycles of the pipe, number Pipe.
  double PipeCycles = 0;
  uint8_t Pipe = 0;
  /// Pipe cycles with what an assembler does not see: bank conflicts, and the
  /// other schedulers.
  double TurnCycles = 0;
  /// The same when warps take turns: what one alone cannot use is not lost.
  double SharedTurnCycles = 0;
  /// Cycles of the stage of shared memory, which all schedulers share.
  double StageCycles = 0;
  /// Cycles that a request takes of that stage, which serves L1 as well; one
  /// that is predicated off takes a turn.
  double DataCycles = 0;
  OperationLatency Latency;
  /// The load that asks for what this one often waits for, itself for that of
  /// an earlier copy, and the latency once that has come. Only where registers
  /// hold loads back.
  uint32_t Awaited = NoIndex;
  OperationLatency BehindAwaited;
  /// The first of the loads of lines that DRAM brings together.
  uint32_t Neighborhood = NoIndex;
  /// The copies of a loop's body have one neighborhood.
  bool SpansCopies = false;
  /// Cycles until the warp can go on (branches, barriers).
  double Gap = 0;
  GroupPart Group;
  /// Of a product of a warp group, cycles until a wait for its group is over;
  /// products that add to the same sums follow each other without waiting.
  double GroupCycles = 0;
  bool IsBarrier = false;
  /// Waits until what the warp has stored is taken.
  bool IsFence = false;
  /// A warp leaves when L1 has taken its stores.
  bool IsExit = false, IsStore = false;
  /// Issued once for all copies of an unrolled body: steps of counters, the
  /// comparison and the branch.
  bool IsOncePerPass = false;
  /// What walks ask of the operation itself.
  bool IsFree = false, IsPhi = false, IsInLoop = false;

  /// Cycles from its issue until the warp can issue its next instruction.
  double nextCycles() const { return std::max(GoesOnAfter, Gap); }
};

/// A result that an operation uses, and what its latency then differs by.
struct LatencyInput {
  uint32_t Op;
  double ExtraCycles;
};

/// The operations of a kernel with their latencies, and who waits for whom:
/// the graph of register dependencies.
///
/// Source: Volkov 2016, section 3.7, Fig. 3.5.
class LatencyGraph {
public:
  /// \p MostExecutions: of each block of code, by the warp that executes it
  /// most.
  LatencyGraph(const KernelFacts &Facts, const ExecutionProfile &Profile,
               llvm::ArrayRef<double> MostExecutions, unsigned WarpsPerBlock,
               const InstructionFetch &Fetch, Numbers &N);

  /// Indexed as KernelFacts::Operations.
  llvm::ArrayRef<LatencyNode> nodes() const { return Nodes; }
  const LatencyNode &operator[](uint32_t Op) const { return Nodes[Op]; }

  llvm::ArrayRef<LatencyInput> inputsOf(uint32_t Op) const {
    return llvm::ArrayRef(Inputs).slice(FirstInput[Op],
                                        FirstInput[Op + 1] - FirstInput[Op]);
  }

  /// Registers that hold loads back, where those that there are do.
  std::optional<unsigned> registerLimit() const { return RegisterLimit; }
  /// Of a kernel with a registerLimit().
  const RegisterFlow &registers() const { return Registers; }

  /// Copies of the body of a loop that an assembler schedules together: the
  /// passes of an unrolled loop; 1 elsewhere.
  unsigned copiesOf(uint32_t Block) const { return CopiesOf[Block]; }

  /// Groups of asynchronous work that waits in loop \p L leave under way, the
  /// most of them.
  unsigned groupsInFlight(uint32_t L) const { return GroupsInFlight[L]; }
  /// Loop \p L waits for the oldest of the copies that arrive at barriers.
  bool waitsForArrivals(uint32_t L) const { return WaitsForArrivals[L]; }
  /// Loop \p L begins groups and waits for none.
  bool fillsStages(uint32_t L) const { return FillsStages[L]; }

private:
  void findNeighborhoods(const KernelFacts &Facts, double ReachBytes);
  void countGroupsInFlight(const KernelFacts &Facts);

  RegisterFlow Registers;
  std::optional<unsigned> RegisterLimit;
  std::vector<unsigned> CopiesOf;
  /// By loop.
  std::vector<unsigned> GroupsInFlight;
  std::vector<bool> WaitsForArrivals, FillsStages;
  std::vector<LatencyNode> Nodes;
  /// Of all operations, in their order; those of one begin at FirstInput.
  std::vector<LatencyInput> Inputs;
  std::vector<uint32_t> FirstInput;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_LATENCYGRAPH_H
