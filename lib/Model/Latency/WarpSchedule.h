//===- WarpSchedule.h - The order in which a warp issues --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_WARPSCHEDULE_H
#define GPUOCC_LIB_MODEL_LATENCY_WARPSCHEDULE_H

#include "Latency/LatencyGraph.h"
#include "gpuocc/Support/Mechanism.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuocc {

/// An operation of one copy of the body of a loop.
struct IssueSlot {
  uint32_t Op = 0;
  uint32_t Copy = 0;
  /// Cycles that the assembler lets pass before the next instruction, so that
  /// what takes fixed times is there; of the rest scoreboards keep track.
  double StallCycles = 0;
  /// Issued in the cycle of the turn before it, where its operands are there.
  bool IsWithPrevious = false;
};

/// The operations of a kernel in the order that an optimizing assembler gives
/// them; as they are where Facts say that this is the order of issue.
class WarpSchedule {
public:
  /// \p L2HitCycles: what the assembler takes every load to need at most.
  /// \p IssueWidth: instructions of one warp that can issue in one cycle.
  WarpSchedule(const KernelFacts &Facts, const LatencyGraph &Graph,
               double L2HitCycles, unsigned IssueWidth = 1,
               const Mechanisms &Used = {});

  /// False for blocks that are scheduled together with one before them.
  bool beginsRegion(uint32_t Block) const {
    return FirstOfRegion[Block] == Block;
  }

  /// The region that begins with \p Block.
  llvm::ArrayRef<IssueSlot> turns(uint32_t Block) const { return Order[Block]; }

  /// One pass through the unrolled loop with the body \p Block:
  /// LatencyGraph::copiesOf iterations. Empty where that is 1.
  llvm::ArrayRef<IssueSlot> slotsOfPass(uint32_t Block) const {
    return PassOrder[Block];
  }

private:
  /// The first block of the region of each.
  std::vector<uint32_t> FirstOfRegion;
  /// By first block of their region; empty for the others.
  std::vector<std::vector<IssueSlot>> Order, PassOrder;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_WARPSCHEDULE_H
