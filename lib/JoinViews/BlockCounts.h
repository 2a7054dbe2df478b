//===- BlockCounts.h - Executions of the blocks of machine code -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_JOINVIEWS_BLOCKCOUNTS_H
#define GPUOCC_LIB_JOINVIEWS_BLOCKCOUNTS_H

#include "gpuocc/JoinViews/JoinViews.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace gpuocc {

/// How often each block of machine code runs, from how often the blocks of the
/// MIR view do.
///
/// Blocks that always run together (each dominates or post-dominates the other,
/// in the same loop) form a group, which runs as often as the block of the MIR
/// view that its branches and accesses of memory come from: these the assembler
/// does not move from block to block. In a loop whose body holds several
/// iterations, that is per pass; of several loops made from one, those with
/// more iterations in their body run first and the others take the rest, as do
/// iterations that stand outside of a loop. A group that holds nothing but
/// loops that were unrolled as a whole runs as often as their iterations,
/// shared by their copies. What is still open follows from the conservation of
/// flow.
class BlockCounts {
public:
  BlockCounts(const ViewJoin &Join, const KernelFacts &Mir,
              const ExecutionProfile &Profile, const KernelFacts &Sass);

  /// Executions of each block of machine code when those of the MIR view
  /// are \p Executions.
  std::vector<double> counts(llvm::ArrayRef<double> Executions) const;

  /// The block of the MIR view that speaks for \p Block; NoIndex if flow does.
  uint32_t witnessOf(uint32_t Block) const { return Witness[GroupOf[Block]]; }

private:
  /// What an operation says about the block that it stands in.
  enum class Evidence : uint8_t { None, Movable, Access, Branch };

  const ViewJoin &Join;
  const KernelFacts &Mir;
  const ExecutionProfile &Profile;
  const KernelFacts &Sass;
  std::vector<llvm::SmallVector<uint32_t, 2>> Warm, Predecessors;
  std::vector<uint32_t> Order, Position;
  /// First block of the group of each block.
  std::vector<uint32_t> GroupOf;
  /// Innermost joined loop around each block.
  std::vector<uint32_t> RegionOf;
  /// By group: what the counts come from.
  std::vector<uint32_t> Witness;
  std::vector<std::vector<uint32_t>> Witnesses;
  /// Copies that share the executions of the witness.
  std::vector<double> Shared;
  std::vector<bool> IsPart;
  /// Iterations of a loop that has other parts: the loop \p Body, or straight
  /// code in \p Group that runs at most once for each entry.
  struct Part {
    unsigned Copies = 1;
    uint32_t Body = NoIndex, Group = NoIndex;
  };
  /// By loop of the MIR view, those with most iterations first.
  std::map<uint32_t, std::vector<Part>> Parts;

  void findGroups();
  void findWitnesses();
  uint32_t mirLoopOfRegion(uint32_t Block) const;
  double entries(llvm::ArrayRef<double> Executions, uint32_t MirLoop) const;
  void findParts();
  void findUnrolledWitnesses();
  static std::vector<double> sharedPasses(llvm::ArrayRef<Part> Parts,
                                          double Trips);
  /// Passes of each loop and, behind them, of the parts that start each block.
  std::vector<double> passes(llvm::ArrayRef<double> Executions) const;
  /// What the witnesses of \p Group say.
  double witnessed(uint32_t Group, llvm::ArrayRef<double> Executions,
                   llvm::ArrayRef<double> Passes) const;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_JOINVIEWS_BLOCKCOUNTS_H
