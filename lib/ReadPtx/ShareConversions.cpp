//===- ShareConversions.cpp - Equal values are converted once -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// Is \p V sixteen bits in a wider register?
static bool isHalfWidened(const Value *V) {
  const auto *Wide = dyn_cast<ZExtInst>(V);
  return Wide && Wide->getSrcTy()->isIntegerTy(16);
}

/// Does \p I convert a number, or put halves of registers together? What
/// addresses are made of stays where it is used: ptxas folds it there.
static bool isConversion(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::InsertElement:
  case Instruction::BitCast:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return true;
  case Instruction::ZExt:
    return isHalfWidened(&I);
  case Instruction::Shl:
  case Instruction::Or:
    return isHalfWidened(I.getOperand(0));
  default:
    return false;
  }
}

void gpuocc::shareConversions(Function &F, const DominatorTree &Dominators) {
  using Key = std::tuple<unsigned, Type *, SmallVector<Value *, 3>>;
  std::map<Key, SmallVector<Instruction *, 2>> Seen;
  for (const DomTreeNode *Node : depth_first(Dominators.getRootNode()))
    for (Instruction &I : make_early_inc_range(*Node->getBlock())) {
      if (!isConversion(I))
        continue;
      SmallVector<Instruction *, 2> &Same =
          Seen[{I.getOpcode(), I.getType(),
                SmallVector<Value *, 3>(I.operand_values())}];
      auto *First = find_if(Same, [&](const Instruction *Other) {
        return Dominators.dominates(Other, &I);
      });
      if (First == Same.end()) {
        Same.push_back(&I);
        continue;
      }
      I.replaceAllUsesWith(*First);
      I.eraseFromParent();
    }
}
