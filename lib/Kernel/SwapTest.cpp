//===- SwapTest.cpp - Did a compare-and-swap take place? ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/SwapTest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

/// The accesses that \p O may be the result of, through what only moves it.
static SmallVector<uint32_t, 4> accessesBehind(const KernelFacts &Facts,
                                               const Operand &O) {
  SmallVector<uint32_t, 4> Found;
  SmallVector<uint32_t, 8> Work, Seen;
  auto Enter = [&](const Operand &Of) {
    if (Facts.operationOf(Of) && !is_contained(Seen, Of.Index)) {
      Work.push_back(Of.Index);
      Seen.push_back(Of.Index);
    }
  };
  Enter(O);
  constexpr size_t MaxOperations = 32;
  while (!Work.empty() && Seen.size() < MaxOperations) {
    const uint32_t Index = Work.pop_back_val();
    const Operation &Op = Facts.Operations[Index];
    switch (Op.What) {
    case Semantics::Phi:
    case Semantics::Copy:
    case Semantics::ZExt:
    case Semantics::SExt:
    case Semantics::Trunc:
      for (const Operand &Of : Op.Operands)
        Enter(Of);
      continue;
    default:
      break;
    }
    if (Op.Access < Facts.Accesses.size())
      Found.push_back(Op.Access);
  }
  return Found;
}

bool gpuocc::holdsContent(const KernelFacts &Facts, const MemoryAccess &Swap,
                          const Operand &O) {
  return any_of(accessesBehind(Facts, O), [&](uint32_t Index) {
    const MemoryAccess &Access = Facts.Accesses[Index];
    return Access.Op == Swap.Op ||
           (Access.Kind == AccessKind::Load && Access.Base == Swap.Base &&
            Access.OffsetBytes == Swap.OffsetBytes);
  });
}

uint32_t gpuocc::testedSwap(const KernelFacts &Facts,
                            const Operation &Compare) {
  if (Compare.What != Semantics::Compare || Compare.Operands.size() != 2 ||
      (Compare.Compare != ComparePredicate::EQ &&
       Compare.Compare != ComparePredicate::NE))
    return NoIndex;
  for (unsigned I : {0u, 1u}) {
    const Operation *Op = Facts.operationOf(Compare.Operands[I]);
    if (!Op || Op->Access >= Facts.Accesses.size() || Op->Operands.size() < 2)
      continue;
    const MemoryAccess &Swap = Facts.Accesses[Op->Access];
    if (Swap.AtomicOp == "cas" && Op->Operands[1] == Compare.Operands[1 - I] &&
        holdsContent(Facts, Swap, Op->Operands[1]))
      return Op->Access;
  }
  return NoIndex;
}

std::vector<bool> gpuocc::accessesOfSwaps(const KernelFacts &Facts) {
  std::vector<bool> Out(Facts.Accesses.size());
  for (const Operation &Op : Facts.Operations) {
    const uint32_t Swap = testedSwap(Facts, Op);
    if (Swap == NoIndex || Out[Swap])
      continue;
    Out[Swap] = true;
    const Operation &Of = Facts.Operations[Facts.Accesses[Swap].Op];
    for (uint32_t Tried : accessesBehind(Facts, Of.Operands[1]))
      Out[Tried] = true;
  }
  return Out;
}

bool gpuocc::isRetriedInShared(const MemoryAccess &A) {
  if (A.OnFloats)
    return A.AtomicOp == "add";
  constexpr StringLiteral Missing[] = {"add", "and", "or", "xor"};
  return A.BytesPerLane == 8 && is_contained(Missing, A.AtomicOp);
}

bool gpuocc::isRetriedSwap(const KernelFacts &Facts, uint32_t Swap) {
  const uint32_t Index =
      Facts.Blocks[Facts.Operations[Facts.Accesses[Swap].Op].Block].Loop;
  if (Index >= Facts.Loops.size())
    return false;
  const std::vector<uint32_t> &Blocks = Facts.Loops[Index].Blocks;
  const auto Leaves = [&](uint32_t Block) {
    return any_of(Facts.Blocks[Block].Successors,
                  [&](uint32_t To) { return !is_contained(Blocks, To); });
  };
  return count_if(Blocks, Leaves) == 1 &&
         any_of(Facts.Operations, [&](const Operation &Op) {
           return Op.What == Semantics::Compare &&
                  is_contained(Blocks, Op.Block) &&
                  testedSwap(Facts, Op) == Swap;
         });
}
