//===- ProbedTables.cpp - Loops that look for a place in a table ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ProbedTables.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/LoopCode.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Looks at one loop.
class ProbeFinder {
public:
  ProbeFinder(const KernelFacts &Facts, const Loop &L) : Facts(Facts), L(L) {}

  TableProbe find() const {
    const std::vector<TableProbe> Probes = findProbes();
    TableProbe Found = TableProbe::None;
    if (all_of(Probes, [](TableProbe P) { return P == TableProbe::None; }))
      return Found;
    for (uint32_t Block : L.Blocks) {
      const uint32_t Branch = Facts.Blocks[Block].Branch;
      if (Branch < Facts.Branches.size() &&
          leavesLoop(L, Facts.Branches[Branch]))
        anyOperationInLoop(Facts, L, Facts.Branches[Branch].Condition,
                           [&](const Operation &Op) {
                             if (Op.Access < Probes.size())
                               Found = std::max(Found, Probes[Op.Access]);
                             return false;
                           });
    }
    return Found;
  }

private:
  const KernelFacts &Facts;
  const Loop &L;

  /// What each access of the kernel looks for, as far as its address says.
  std::vector<TableProbe> findProbes() const {
    std::vector<TableProbe> Probes(Facts.Accesses.size(), TableProbe::None);
    for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
      const MemoryAccess &A = Facts.Accesses[I];
      const bool Swaps = A.Kind == AccessKind::Atomic && A.AtomicOp == "cas";
      if ((Swaps || A.Kind == AccessKind::Load) &&
          containsBlock(L, Facts.Operations[A.Op].Block) && goesRound(A.Base))
        Probes[I] = Swaps ? TableProbe::Insert : TableProbe::Find;
    }
    return Probes;
  }

  /// Is \p Address one that wraps around what a turn adds to a phi?
  bool goesRound(const Operand &Address) const {
    return anyOperationInLoop(Facts, L, Address, [&](const Operation &Op) {
      return mayWrap(Op) && (isNext(Op.Operands[0]) || isFed(Op.Operands[0]));
    });
  }

  /// Is \p Op a mask or a remainder by what the loop does not change?
  bool mayWrap(const Operation &Op) const {
    return (Op.What == Semantics::And || Op.What == Semantics::RemU ||
            Op.What == Semantics::RemS) &&
           isSetOutside(Facts, L, Op.Operands[1]);
  }

  const Operation *inLoop(const Operand &O) const {
    const Operation *Op = Facts.operationOf(behindWidths(Facts, O));
    return Op && containsBlock(L, Op->Block) ? Op : nullptr;
  }

  /// Is \p O a sum with a phi of the loop, or with what has wrapped around?
  bool isNext(const Operand &O) const {
    const Operation *Sum = inLoop(O);
    return Sum && Sum->What == Semantics::Add &&
           any_of(Sum->Operands, [&](const Operand &Of) {
             const Operation *From = inLoop(Of);
             return From && (From->What == Semantics::Phi || mayWrap(*From));
           });
  }

  /// Is \p O a phi of the loop that such a sum goes to?
  bool isFed(const Operand &O) const {
    const Operation *Phi = inLoop(O);
    return Phi && Phi->What == Semantics::Phi &&
           any_of(Phi->Operands, [&](const Operand &Of) { return isNext(Of); });
  }
};

} // namespace

TableProbe gpuocc::tableProbe(const KernelFacts &Facts, const Loop &L) {
  return ProbeFinder(Facts, L).find();
}
