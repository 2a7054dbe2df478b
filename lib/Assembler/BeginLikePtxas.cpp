//===- BeginLikePtxas.cpp - What every kernel starts with -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Where ptxas loads what all accesses of a kind need: ahead of all of them, in
/// no loop, and behind the guards that they are behind.
class CommonPlace {
public:
  explicit CommonPlace(KernelFacts &Facts)
      : Facts(Facts), Tree(Dominators::of(graphOf(Facts))) {}

  /// The first operation there; null where there is no such access.
  Operation *before(std::initializer_list<MemorySpace> Spaces) {
    uint32_t Place = NoIndex;
    for (const MemoryAccess &A : Facts.Accesses)
      if (is_contained(Spaces, A.Space))
        Place = common(Place, A.Op < Facts.Operations.size()
                                  ? Facts.Operations[A.Op].Block
                                  : 0);
    return atOrAbove(Place);
  }

  /// The first operation ahead of all that read the address of variable \p
  /// Symbol; null where none does.
  Operation *beforeAddressOf(uint32_t Symbol) {
    uint32_t Place = NoIndex;
    auto Reads = [&](const Operand &O) {
      return O.K == Operand::Kind::Symbol && O.Index == Symbol;
    };
    for (const Operation &Op : Facts.Operations)
      if (any_of(Op.Operands, Reads) || (Op.Access < Facts.Accesses.size() &&
                                         Reads(Facts.Accesses[Op.Access].Base)))
        Place = common(Place, Op.Block);
    return atOrAbove(Place);
  }

private:
  KernelFacts &Facts;
  Dominators Tree;

  /// The first operation of \p Place or of the nearest block above it that may
  /// hold what is done once; null where there is no place.
  Operation *atOrAbove(uint32_t Place) {
    if (Place == NoIndex)
      return nullptr;
    while (!firstOf(Place) && Tree.parent(Place) != NoIndex)
      Place = Tree.parent(Place);
    Operation *Op = firstOf(Place);
    return Op ? Op : &Facts.Operations[Facts.Blocks.front().FirstOp];
  }

  /// The nearest block that dominates two; the entry where a block cannot be
  /// reached.
  uint32_t common(uint32_t A, uint32_t B) const {
    if (A == NoIndex)
      return B;
    while (A != NoIndex && !Tree.dominates(A, B))
      A = Tree.parent(A);
    return A == NoIndex ? 0 : A;
  }

  /// The first operation of \p Block that is an instruction; null where the
  /// block repeats or is a side of another.
  Operation *firstOf(uint32_t Block) {
    const BasicBlock &B = Facts.Blocks[Block];
    if (B.Loop != NoIndex || B.PredicatedInto != NoIndex)
      return nullptr;
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
      if (Facts.Operations[I].What != Semantics::Phi)
        return &Facts.Operations[I];
    return nullptr;
  }
};

} // namespace

static void addFirst(Operation &Op, ArrayRef<Emission> Added) {
  Op.Emits.insert(Op.Emits.begin(), Added.begin(), Added.end());
}

void gpuocc::beginLikePtxas(KernelFacts &Facts) {
  if (Facts.Operations.empty())
    return;
  CommonPlace Place(Facts);
  const AssemblerRules &Rules = assemblerRules(Facts.Architecture);
  // The window of this block's shared memory in the cluster's: S2UR of the
  // block's rank, which takes the pipe of S2R, and two instructions that add it
  // to the address.
  if (Operation *Op =
          Rules.HasSharedWindow ? Place.before({MemorySpace::Shared}) : nullptr)
    addFirst(*Op, {{InstClass::S2R, 1, 0}, {InstClass::UInt, 2, 0}});
  // ULDC.64: the descriptor of global memory.
  if (Operation *Op =
          Rules.HasMemoryDescriptor
              ? Place.before({MemorySpace::Global, MemorySpace::Generic})
              : nullptr)
    addFirst(*Op, {{InstClass::Uldc, 1, 0}});
  // LDC.64: the address of a variable in global memory, from bank 4.
  if (!Rules.ReadsConstantsInPlace)
    for (uint32_t S = 0; S != Facts.Symbols.size(); ++S)
      if (Operation *Op = Facts.Symbols[S].Space == MemorySpace::Global
                              ? Place.beforeAddressOf(S)
                              : nullptr)
        addFirst(*Op, {{InstClass::Ldc, 1, 0}});
  // R1: the stack pointer.
  addFirst(Facts.Operations[Facts.Blocks.front().FirstOp],
           {{Rules.StackPointer, 1, 0}});
}
