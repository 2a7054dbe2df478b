//===- RecordProbability.cpp - How often a value beats those before it ----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/RecordProbability.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Values that meet in one place: the threads of an SM.
static constexpr unsigned NumValues = 2048;

/// H(n) / n.
static constexpr double RecordShare = [] {
  double Sum = 0;
  for (unsigned K = 1; K <= NumValues; ++K)
    Sum += 1.0 / K;
  return Sum / NumValues;
}();

namespace {

/// Looks for comparisons with what one atomic changes.
class RecordFinder {
public:
  RecordFinder(const KernelFacts &Facts, const MemoryAccess &Swap)
      : Facts(Facts), Swap(Swap) {}

  /// The target of \p B that leads to the swap, if \p B compares a value with
  /// what the place holds and the other target does not lead there.
  std::optional<unsigned> recordSide(const Branch &B) const {
    if (B.Indexed || B.Targets.size() != 2 || !isComparison(B.Condition))
      return std::nullopt;
    const bool First = leadsToSwap(B, 0), Second = leadsToSwap(B, 1);
    if (First == Second)
      return std::nullopt;
    return First ? 0 : 1;
  }

private:
  const KernelFacts &Facts;
  const MemoryAccess &Swap;

  bool isComparison(const Operand &Condition) const {
    const Operation *Op = Facts.operationOf(Condition);
    while (Op && Op->What == Semantics::Not && !Op->Operands.empty())
      Op = Facts.operationOf(Op->Operands[0]);
    return Op &&
           (Op->What == Semantics::Compare ||
            Op->What == Semantics::FCompare) &&
           Op->Operands.size() == 2 && isOrder(Op->Compare) &&
           holdsContent(Facts, Swap, Op->Operands[0]) !=
               holdsContent(Facts, Swap, Op->Operands[1]);
  }

  /// Is the swap reached by \p Target of \p B before both sides meet?
  bool leadsToSwap(const Branch &B, unsigned Target) const {
    const uint32_t Goal = Facts.Operations[Swap.Op].Block;
    const uint32_t Join = Facts.Blocks[B.Block].PostDominator;
    SmallVector<uint32_t, 8> Work;
    SmallVector<bool, 16> Reached(Facts.Blocks.size(), false);
    auto Enter = [&](uint32_t To) {
      if (To < Reached.size() && To != Join && !Reached[To]) {
        Reached[To] = true;
        Work.push_back(To);
      }
    };
    Enter(B.Targets[Target]);
    while (!Work.empty()) {
      const uint32_t Block = Work.pop_back_val();
      if (Block == Goal)
        return true;
      if (Block != B.Block)
        for (uint32_t To : Facts.Blocks[Block].Successors)
          Enter(To);
    }
    return false;
  }
};

} // namespace

void gpuocc::findRecords(KernelFacts &Facts) {
  for (const MemoryAccess &Access : Facts.Accesses) {
    if (!is_contained({"cas", "min", "max"}, Access.AtomicOp))
      continue;
    const RecordFinder Finder(Facts, Access);
    for (Branch &B : Facts.Branches)
      if (std::optional<unsigned> Side = Finder.recordSide(B)) {
        B.TakenPrior = *Side == 0 ? RecordShare : 1 - RecordShare;
        B.PriorReason = "few values beat all those before them";
        B.PriorBy = Mechanism::RecordProbability;
      }
  }
}
