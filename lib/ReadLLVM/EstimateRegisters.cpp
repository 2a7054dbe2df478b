//===- EstimateRegisters.cpp - Registers that ptxas will need -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionReader.h"
#include "llvm/ADT/BitVector.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Live ranges over the SSA operations; a value weighs one register per 32
/// bits, predicates and folded values nothing.
class Liveness {
public:
  explicit Liveness(const KernelFacts &Facts)
      : Facts(Facts), LiveIn(Facts.Blocks.size()) {
    for (BitVector &Set : LiveIn)
      Set.resize(Facts.Operations.size());
  }

  unsigned peak() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (uint32_t B = Facts.Blocks.size(); B-- > 0;) {
        BitVector Live = walk(B, nullptr);
        if (Live != LiveIn[B]) {
          LiveIn[B] = std::move(Live);
          Changed = true;
        }
      }
    }
    unsigned Peak = 0;
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      walk(B, &Peak);
    return Peak;
  }

private:
  const KernelFacts &Facts;
  std::vector<BitVector> LiveIn;

  unsigned weight(uint32_t Index) const {
    const Operation &Op = Facts.Operations[Index];
    if (Op.Bits <= 1 || Op.What == Semantics::SymbolAddress ||
        Op.What == Semantics::Param)
      return 0; // predicates; constant-bank operands
    if (Op.Emits.empty() && Op.What != Semantics::Phi)
      return 0; // folded into its users, which are counted
    if (Op.What == Semantics::Phi)
      return phiWeight(Op, 2);
    unsigned Each = (Op.Bits + 31) / 32;
    return Each * std::max<unsigned>(1, Op.NumResults);
  }

  /// A phi is as wide as what flows into it.
  unsigned phiWeight(const Operation &Phi, unsigned Depth) const {
    for (const Operand &O : Phi.Operands) {
      if (!O.isValue())
        continue;
      const Operation &In = Facts.Operations[O.Index];
      if (In.What != Semantics::Phi)
        return In.Bits <= 1 ? 0 : (In.Bits + 31) / 32;
      if (Depth)
        return phiWeight(In, Depth - 1);
    }
    return 1;
  }

  /// Values live at the start of block \p B; the peak weight inside it goes to
  /// \p Peak if given.
  BitVector walk(uint32_t B, unsigned *Peak) const {
    BitVector Live(Facts.Operations.size());
    for (uint32_t S : Facts.Blocks[B].Successors) {
      Live |= LiveIn[S];
      addPhiInputs(S, B, Live);
    }
    unsigned Weight = 0;
    if (Peak)
      for (unsigned I : Live.set_bits())
        Weight += weight(I);
    auto Note = [&] {
      if (Peak)
        *Peak = std::max(*Peak, Weight);
    };
    Note();
    const BasicBlock &Block = Facts.Blocks[B];
    for (uint32_t I = Block.FirstOp + Block.NumOps; I-- > Block.FirstOp;) {
      if (Live.test(I)) {
        Live.reset(I);
        if (Peak)
          Weight -= weight(I);
      }
      const Operation &Op = Facts.Operations[I];
      if (Op.What == Semantics::Phi)
        continue;
      for (const Operand &O : Op.Operands)
        if (O.isValue() && !Live.test(O.Index)) {
          Live.set(O.Index);
          if (Peak)
            Weight += weight(O.Index);
        }
      Note();
    }
    return Live;
  }

  void addPhiInputs(uint32_t Successor, uint32_t From, BitVector &Live) const {
    const BasicBlock &S = Facts.Blocks[Successor];
    for (uint32_t I = S.FirstOp; I != S.FirstOp + S.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      if (Op.What != Semantics::Phi)
        break;
      Live.reset(I);
      for (size_t K = 0; K != Op.PhiBlocks.size(); ++K)
        if (Op.PhiBlocks[K] == From && Op.Operands[K].isValue())
          Live.set(Op.Operands[K].Index);
    }
  }
};

} // namespace

unsigned gpuocc::estimateRegisters(const KernelFacts &Facts) {
  // Heuristic: ptxas schedules loads upward and keeps addresses in registers,
  // so it needs more than the peak in program order; the sum below is tracked
  // against ptxas by the accuracy bench.
  unsigned Estimate = Liveness(Facts).peak() + 8;
  Estimate = std::clamp(Estimate, 16u, 255u);
  if (unsigned Threads = Facts.Bounds.MaxThreads) {
    unsigned Blocks = std::max(1u, Facts.Bounds.MinBlocksPerSm);
    unsigned Warps = (Threads + 31) / 32 * Blocks;
    Estimate = std::min(Estimate, std::max(16u, 65536 / (Warps * 32) / 8 * 8));
  }
  return Estimate;
}
