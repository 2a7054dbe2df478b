//===- FlagSetter.cpp - The branch that sets a tested flag --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slice/FlagSetter.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static const Operation *operationOf(const KernelFacts &Facts,
                                    const Operand &O) {
  return O.isValue() && O.Index < Facts.Operations.size()
             ? &Facts.Operations[O.Index]
             : nullptr;
}

/// The constant that \p O is, through copies.
static std::optional<int64_t> constantOf(const KernelFacts &Facts, Operand O) {
  constexpr unsigned MaxCopies = 4;
  for (unsigned I = 0; I != MaxCopies; ++I) {
    if (O.isImmediate())
      return O.Imm;
    const Operation *Op = operationOf(Facts, O);
    if (!Op || Op->What != Semantics::Copy || Op->Operands.size() != 1)
      return std::nullopt;
    O = Op->Operands[0];
  }
  return std::nullopt;
}

namespace {

/// What is compared: a join, of which only the bits of Mask are looked at.
struct MaskedJoin {
  const Operation *Phi = nullptr;
  int64_t Mask = -1;
};

} // namespace

static std::optional<MaskedJoin> joinBehind(const KernelFacts &Facts,
                                            Operand O) {
  constexpr unsigned MaxSteps = 4;
  MaskedJoin Join;
  for (unsigned I = 0; I != MaxSteps; ++I) {
    const Operation *Op = operationOf(Facts, O);
    if (!Op)
      return std::nullopt;
    if (Op->What == Semantics::Phi) {
      Join.Phi = Op;
      return Join;
    }
    const bool IsMask = Op->What == Semantics::And &&
                        Op->Operands.size() == 2 &&
                        Op->Operands[1].isImmediate();
    if (IsMask)
      Join.Mask &= Op->Operands[1].Imm;
    else if (Op->What != Semantics::Copy || Op->Operands.size() != 1)
      return std::nullopt;
    O = Op->Operands[0];
  }
  return std::nullopt;
}

/// Is \p To reached from \p From without passing \p Stop?
static bool reaches(const KernelFacts &Facts, uint32_t From, uint32_t To,
                    uint32_t Stop) {
  SmallVector<uint32_t, 8> Work = {From}, Seen;
  while (!Work.empty()) {
    const uint32_t Block = Work.pop_back_val();
    if (Block == Stop || Block >= Facts.Blocks.size() ||
        is_contained(Seen, Block))
      continue;
    if (Block == To)
      return true;
    Seen.push_back(Block);
    append_range(Work, Facts.Blocks[Block].Successors);
  }
  return false;
}

/// The branch that decides whether \p Join passes a test, which those of its
/// constants pass that \p PassesTest takes.
static std::optional<FlagSetter>
setterOf(const KernelFacts &Facts, const MaskedJoin &Join,
         function_ref<bool(int64_t)> PassesTest) {
  const Operation &Phi = *Join.Phi;
  SmallVector<bool, 4> Passes;
  for (const Operand &O : Phi.Operands) {
    const std::optional<int64_t> Value = constantOf(Facts, O);
    if (!Value)
      return std::nullopt;
    Passes.push_back(PassesTest(*Value & Join.Mask));
  }
  for (size_t I = 0; I < Phi.PhiBlocks.size() && I < Passes.size(); ++I) {
    const uint32_t From = Phi.PhiBlocks[I];
    if (From >= Facts.Blocks.size() ||
        Facts.Blocks[From].Branch >= Facts.Branches.size() ||
        Facts.Blocks[From].PostDominator != Phi.Block)
      continue;
    const Branch &B = Facts.Branches[Facts.Blocks[From].Branch];
    if (B.Indexed || B.Targets.size() != 2)
      continue;
    const bool IsFirst = B.Targets[0] == Phi.Block;
    const uint32_t Other = B.Targets[IsFirst ? 1 : 0];
    if (Other == Phi.Block || (!IsFirst && B.Targets[1] != Phi.Block))
      continue;
    bool Decides = true;
    for (size_t K = 0; K < Passes.size() && K < Phi.PhiBlocks.size(); ++K)
      Decides &= K == I || (Passes[K] != Passes[I] &&
                            reaches(Facts, Other, Phi.PhiBlocks[K], Phi.Block));
    if (Decides)
      return FlagSetter{B.Condition, (IsFirst != B.Negated) == Passes[I]};
  }
  return std::nullopt;
}

std::optional<FlagSetter> gpuocc::findFlagSetter(const KernelFacts &Facts,
                                                 const Operation &Test) {
  if (Test.Operands.size() != 2 || (Test.Compare != ComparePredicate::EQ &&
                                    Test.Compare != ComparePredicate::NE))
    return std::nullopt;
  const std::optional<int64_t> Wanted = constantOf(Facts, Test.Operands[1]);
  const std::optional<MaskedJoin> Join = joinBehind(Facts, Test.Operands[0]);
  if (!Wanted || !Join)
    return std::nullopt;
  return setterOf(Facts, *Join, [&](int64_t Value) {
    return (Value == *Wanted) == (Test.Compare == ComparePredicate::EQ);
  });
}

std::optional<FlagSetter> gpuocc::findFlagSetter(const KernelFacts &Facts,
                                                 const Operand &Flag) {
  const std::optional<MaskedJoin> Join = joinBehind(Facts, Flag);
  if (!Join)
    return std::nullopt;
  return setterOf(Facts, *Join, [](int64_t Value) { return Value & 1; });
}
