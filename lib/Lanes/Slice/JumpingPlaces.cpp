//===- JumpingPlaces.cpp - Loops whose turns go to other places -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slice/JumpingPlaces.h"
#include "Slice/Slice.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// What places of accesses of one loop are made of.
class PlaceSearch {
public:
  PlaceSearch(const KernelFacts &Facts, const Slice &S, uint32_t Loop)
      : Facts(Facts), S(S), Loop(Loop) {}

  bool jumps(const Operand &Place);

private:
  bool isInside(const Operand &O) const {
    return O.isValue() && O.Index < Facts.Operations.size() &&
           S.contains(Loop, Facts.Operations[O.Index].Block);
  }
  bool isJump(const Operation &Op) const;

  const KernelFacts &Facts;
  const Slice &S;
  uint32_t Loop;
  DenseSet<uint32_t> Seen;
};

} // namespace

/// Arguments are loaded too, and go on as they are.
bool PlaceSearch::isJump(const Operation &Op) const {
  switch (Op.What) {
  case Semantics::Load:
    return Op.Access < Facts.Accesses.size() &&
           Facts.Accesses[Op.Access].Space != MemorySpace::Param &&
           Facts.Accesses[Op.Access].Space != MemorySpace::Constant;
  case Semantics::DivS:
  case Semantics::DivU:
  case Semantics::RemS:
  case Semantics::RemU:
  case Semantics::MulHiS:
  case Semantics::MulHiU:
  case Semantics::ShrU:
  case Semantics::ShrS:
  case Semantics::And:
  case Semantics::Xor:
    return any_of(Op.Operands, [&](const Operand &O) { return isInside(O); });
  default:
    return false;
  }
}

/// Is \p Place made of an operation that jumps? Operations that other places
/// are made of too are looked at once.
bool PlaceSearch::jumps(const Operand &Place) {
  SmallVector<Operand, 16> Work = {Place};
  while (!Work.empty()) {
    const Operand O = Work.pop_back_val();
    if (!isInside(O) || !Seen.insert(O.Index).second)
      continue;
    const Operation &Op = Facts.Operations[O.Index];
    if (isJump(Op))
      return true;
    if (Op.What != Semantics::Load)
      Work.append(Op.Operands.begin(), Op.Operands.end());
  }
  return false;
}

bool gpuocc::hasJumpingPlaces(const KernelFacts &Facts, const Slice &S,
                              uint32_t Loop) {
  PlaceSearch Search(Facts, S, Loop);
  return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
    const bool IsFar =
        A.Space == MemorySpace::Global || A.Space == MemorySpace::Generic;
    return (IsFar || A.Kind == AccessKind::AsyncCopy) &&
           A.Op < Facts.Operations.size() &&
           S.contains(Loop, Facts.Operations[A.Op].Block) &&
           Search.jumps(A.Base);
  });
}
