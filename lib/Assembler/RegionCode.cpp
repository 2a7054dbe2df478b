//===- RegionCode.cpp - The code of blocks scheduled as one ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StraightCode.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Puts the code of the blocks of a region one behind the other.
class Joiner {
public:
  Joiner(const KernelFacts &Facts, RegisterValues &Values,
         MutableArrayRef<std::vector<CodeNode>> OfBlock)
      : Facts(Facts), Values(Values), OfBlock(OfBlock) {}

  std::vector<CodeNode> run(const Region &Blocks) {
    for (uint32_t Block : Blocks) {
      // Sides come between the block that they are predicated into and the one
      // where they join.
      const uint32_t Into = Facts.Blocks[Block].PredicatedInto;
      const bool IsSide = Block != Blocks.front() && Into != NoIndex;
      if (!IsSide && Block != Blocks.front())
        joinAt(Block);
      Side = IsSide ? Block : Side;
      std::vector<CodeNode> &Code = OfBlock[Block];
      if (IsSide)
        for (CodeNode &N : Code)
          N.Condition = conditionOf(Into);
      if (Nodes.empty())
        Nodes = std::move(Code);
      else
        std::move(Code.begin(), Code.end(), std::back_inserter(Nodes));
      Code.clear();
    }
    return std::move(Nodes);
  }

private:
  const KernelFacts &Facts;
  RegisterValues &Values;
  MutableArrayRef<std::vector<CodeNode>> OfBlock;
  std::vector<CodeNode> Nodes;
  uint32_t Side = NoIndex;

  uint32_t conditionOf(uint32_t Block) const {
    const uint32_t Branch = Facts.Blocks[Block].Branch;
    return Branch == NoIndex ? NoIndex : Facts.Branches[Branch].Condition.Index;
  }

  /// By operation, counted when it is first asked for.
  std::vector<unsigned> NumUses;

  bool isUsedOnce(uint32_t Op) {
    if (NumUses.empty()) {
      NumUses.resize(Facts.Operations.size());
      for (const Operation &User : Facts.Operations)
        for (const Operand &O : User.Operands)
          if (O.isValue())
            ++NumUses[O.Index];
    }
    return NumUses[Op] == 1;
  }

  void joinAt(uint32_t Block) {
    const BasicBlock &B = Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Phi = Facts.Operations[I];
      if (Phi.What != Semantics::Phi)
        break;
      if (Values.words(Values.firstOf(I)) != 0)
        choose(I, Phi);
    }
  }

  void choose(uint32_t PhiIndex, const Operation &Phi) {
    const uint32_t Chosen = Values.firstOf(PhiIndex);
    ValueSet Otherwise, All;
    CodeNode *Writer = nullptr;
    for (size_t K = 0; K != Phi.Operands.size(); ++K) {
      const Operand &O = Phi.Operands[K];
      Values.appendTo(O, All);
      if (Phi.PhiBlocks[K] != Side)
        Values.appendTo(O, Otherwise);
      else if (O.isValue() && Facts.Operations[O.Index].Block == Side &&
               isUsedOnce(O.Index))
        for (CodeNode &N : Nodes)
          if (N.Op == O.Index && N.Defs.size() == 1)
            Writer = &N;
    }
    if (Writer) {
      Writer->Defs[0] = Chosen;
      for (uint32_t V : Otherwise)
        if (!is_contained(Writer->Uses, V))
          Writer->Uses.push_back(V);
      return;
    }
    CodeNode Choice;
    Choice.Op = PhiIndex;
    Choice.Condition = conditionOf(Facts.Blocks[Side].PredicatedInto);
    Choice.Uses = std::move(All);
    Choice.Defs.push_back(Chosen);
    Nodes.push_back(std::move(Choice));
  }
};

} // namespace

std::vector<CodeNode>
gpuocc::takeCodeOfRegion(const KernelFacts &Facts, const Region &Blocks,
                         RegisterValues &Values,
                         MutableArrayRef<std::vector<CodeNode>> OfBlock) {
  return Joiner(Facts, Values, OfBlock).run(Blocks);
}
