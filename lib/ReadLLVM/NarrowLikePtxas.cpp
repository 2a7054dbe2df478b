//===- NarrowLikePtxas.cpp - Halves that ptxas leaves out ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"

using namespace gpuocc;
using namespace llvm;

/// True for 64-bit operations whose lower half depends on the lower halves of
/// their operands alone.
static bool carriesUpwards(Semantics S) {
  switch (S) {
  case Semantics::Add:
  case Semantics::Sub:
  case Semantics::Mul:
  case Semantics::Mad:
  case Semantics::And:
  case Semantics::Or:
  case Semantics::Xor:
  case Semantics::Not:
  case Semantics::Neg:
  case Semantics::Shl:
  case Semantics::Copy:
  case Semantics::Phi:
    return true;
  default:
    return false;
  }
}

/// For each operation, whether anybody uses its upper half.
static std::vector<bool> upperHalfUsed(const KernelFacts &Facts) {
  std::vector<bool> Used(Facts.Operations.size());
  auto Use = [&](const Operand &O) {
    if (!O.isValue() || Used[O.Index])
      return false;
    Used[O.Index] = true;
    return true;
  };
  for (const MemoryAccess &A : Facts.Accesses) {
    Use(A.Base);
    Use(A.SharedBase);
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = Facts.Operations.size(); I-- != 0;) {
      const Operation &Op = Facts.Operations[I];
      if (Op.What == Semantics::Trunc && Op.Bits <= 32)
        continue;
      if (carriesUpwards(Op.What) && !Used[I])
        continue;
      for (const Operand &O : Op.Operands)
        Changed |= Use(O);
    }
  }
  return Used;
}

void gpuocc::narrowLikePtxas(KernelFacts &Facts) {
  std::vector<bool> Used = upperHalfUsed(Facts);
  for (size_t I = 0; I != Facts.Operations.size(); ++I) {
    Operation &Op = Facts.Operations[I];
    if (Used[I] || Op.Bits != 64 || Op.Access != NoIndex)
      continue;
    // The lower half of a shift by 32 or more is the upper half of its operand.
    bool IsRightShift =
        Op.What == Semantics::ShrU || Op.What == Semantics::ShrS;
    if (IsRightShift && Op.Operands[1].isImmediate() &&
        Op.Operands[1].Imm == 32) {
      Op.Emits.clear();
      continue;
    }
    if (!carriesUpwards(Op.What) && !IsRightShift)
      continue;
    for (Emission &E : Op.Emits)
      if (E.Count == 2) {
        E.Count = 1;
        E.OnPath = 1;
      }
  }
}
