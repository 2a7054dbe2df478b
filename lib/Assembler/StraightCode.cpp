//===- StraightCode.cpp - Straight-line code and its values ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StraightCode.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

static void collectPointers(const KernelFacts &Facts, const Operand &O,
                            const RegisterValues &Values,
                            SmallVectorImpl<uint32_t> &Params) {
  if (!O.isValue())
    return;
  const Operation &Op = Facts.Operations[O.Index];
  if (Values.isParameter(O.Index)) {
    if (Op.Bits == 64 && Op.NumResults == 1 && !is_contained(Params, O.Index))
      Params.push_back(O.Index);
  } else if (!Values.isWritten(O.Index)) {
    for (const Operand &In : Op.Operands)
      collectPointers(Facts, In, Values, Params);
  }
}

SmallVector<uint32_t, 4>
gpuocc::pointersInRegisters(const KernelFacts &Facts, uint32_t Op,
                            const RegisterValues &Values) {
  SmallVector<uint32_t, 4> Params;
  const Operation &O = Facts.Operations[Op];
  bool TakesNoConstant = any_of(O.Emits, [](const Emission &E) {
    return E.Class == InstClass::IMadWide;
  });
  if (O.Access != NoIndex || TakesNoConstant)
    for (const Operand &In : O.Operands)
      collectPointers(Facts, In, Values, Params);
  return Params;
}

std::vector<CodeNode> gpuocc::codeOfBlock(const KernelFacts &Facts,
                                          uint32_t Block,
                                          RegisterValues &Values) {
  std::vector<CodeNode> Nodes;
  const BasicBlock &B = Facts.Blocks[Block];
  Nodes.reserve(B.NumOps);
  for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
    const Operation &Op = Facts.Operations[I];
    if (Op.What == Semantics::Phi || !Values.isWritten(I))
      continue;
    CodeNode N;
    N.Op = I;
    for (const Operand &O : Op.Operands)
      Values.appendTo(O, N.Uses);
    Values.appendTo(Op.Guard, N.Uses);
    if (Op.NumResults != 0)
      for (uint32_t V = Values.firstOf(I); V != Values.endOf(I); ++V)
        if (Values.words(V) != 0)
          N.Defs.push_back(V);
    Nodes.push_back(std::move(N));
  }
  return Nodes;
}

namespace {

class Expander {
public:
  Expander(const KernelFacts &Facts, const Region &Blocks,
           RegisterValues &Values, ArrayRef<uint32_t> AlreadyLoaded)
      : Facts(Facts), Blocks(Blocks), Values(Values),
        AlreadyLoaded(AlreadyLoaded) {}

  StraightCode run(std::vector<CodeNode> Code) {
    std::vector<CodeNode> Body = withParameters(std::move(Code));
    unsigned Times = iterations();
    if (Times <= 1) {
      Out.Nodes = std::move(Body);
      return std::move(Out);
    }
    for (unsigned Copy = 0; Copy != Times; ++Copy) {
      if (Copy != 0)
        moveToNextIteration();
      for (const CodeNode &N : Body)
        addCopy(N, Copy, Copy + 1 == Times);
    }
    return std::move(Out);
  }

private:
  const KernelFacts &Facts;
  const Region &Blocks;
  RegisterValues &Values;
  ArrayRef<uint32_t> AlreadyLoaded;
  StraightCode Out;
  /// What stands for a value of the body in the current iteration.
  std::map<uint32_t, ValueSet> Current;

  unsigned words(uint32_t V) const {
    return V < Values.size() ? Values.words(V)
                             : Out.FreshWords[V - Values.size()];
  }
  uint32_t freshValue(unsigned Words) {
    Out.FreshWords.push_back(uint8_t(Words));
    return Values.size() + uint32_t(Out.FreshWords.size()) - 1;
  }

  unsigned iterations() const {
    uint32_t L = Facts.Blocks[Blocks.front()].Loop;
    bool IsBody = L != NoIndex && Facts.Loops[L].Header == Blocks.front() &&
                  Facts.Loops[L].Blocks.size() == Blocks.size();
    return IsBody ? Facts.Loops[L].UnrolledBy : 1;
  }

  std::vector<CodeNode> withParameters(std::vector<CodeNode> Code) {
    std::map<uint32_t, uint32_t> Loaded;
    std::vector<CodeNode> Nodes;
    Nodes.reserve(Code.size());
    for (CodeNode &Node : Code) {
      for (uint32_t P : pointersInRegisters(Facts, Node.Op, Values)) {
        if (is_contained(AlreadyLoaded, P))
          continue;
        auto [It, IsNew] = Loaded.try_emplace(P, 0);
        if (IsNew) {
          It->second = freshValue(/*Words=*/2);
          CodeNode Load;
          Load.Op = P;
          Load.Defs.push_back(It->second);
          Nodes.push_back(std::move(Load));
        }
        Node.Uses.push_back(It->second);
      }
      Nodes.push_back(std::move(Node));
    }
    return Nodes;
  }

  ValueSet current(uint32_t V) const {
    auto It = Current.find(V);
    return It == Current.end() ? ValueSet{V} : It->second;
  }

  ValueSet current(const ValueSet &Set) const {
    ValueSet Result;
    for (uint32_t V : Set)
      for (uint32_t Now : current(V))
        if (!is_contained(Result, Now))
          Result.push_back(Now);
    return Result;
  }

  /// Phis take what the iteration before left.
  void moveToNextIteration() {
    std::map<uint32_t, ValueSet> Next;
    const BasicBlock &B = Facts.Blocks[Blocks.front()];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      if (Op.What != Semantics::Phi)
        break;
      for (size_t K = 0; K != Op.PhiBlocks.size(); ++K)
        if (Op.PhiBlocks[K] == Blocks.back()) {
          ValueSet In;
          Values.appendTo(Op.Operands[K], In);
          Next[Values.firstOf(I)] = current(In);
        }
    }
    for (auto &[V, Set] : Next)
      Current[V] = std::move(Set);
  }

  /// True for phi + constant: within one pass it moves by the immediate
  /// offsets of its users.
  bool isInduction(uint32_t Index) const {
    const Operation &Op = Facts.Operations[Index];
    if ((Op.What != Semantics::Add && Op.What != Semantics::Sub) ||
        Op.Operands.size() != 2 || !Op.Operands[0].isValue() ||
        !Op.Operands[1].isImmediate())
      return false;
    const Operation &Phi = Facts.Operations[Op.Operands[0].Index];
    return Phi.What == Semantics::Phi && Phi.Block == Blocks.front() &&
           is_contained(Phi.Operands, Operand::value(Index));
  }

  bool isJump(uint32_t Op) const {
    return any_of(Facts.Operations[Op].Emits, [](const Emission &E) {
      return E.Class == InstClass::Branch;
    });
  }

  void addCopy(const CodeNode &N, unsigned Copy, bool IsLast) {
    bool IsOnce = Values.isParameter(N.Op);
    if ((IsOnce && Copy != 0) || (isJump(N.Op) && !IsLast))
      return;
    CodeNode Node;
    Node.Op = N.Op;
    Node.Condition = N.Condition;
    Node.Copy = Copy;
    Node.Uses = current(N.Uses);
    if (isInduction(N.Op) && !IsLast) {
      for (uint32_t V : N.Defs)
        Current[V] = Node.Uses;
      return;
    }
    for (uint32_t V : N.Defs) {
      if (IsLast || IsOnce) {
        Current.erase(V);
        Node.Defs.push_back(V);
        continue;
      }
      uint32_t Fresh = freshValue(words(V));
      Current[V] = {Fresh};
      Node.Defs.push_back(Fresh);
    }
    Out.Nodes.push_back(std::move(Node));
  }
};

} // namespace

StraightCode gpuocc::expandCode(const KernelFacts &Facts, const Region &Blocks,
                                std::vector<CodeNode> Code,
                                RegisterValues &Values,
                                ArrayRef<uint32_t> AlreadyLoaded) {
  return Expander(Facts, Blocks, Values, AlreadyLoaded).run(std::move(Code));
}
