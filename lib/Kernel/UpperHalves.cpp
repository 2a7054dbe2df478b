//===- UpperHalves.cpp - Which halves of wide values are needed -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/UpperHalves.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::carriesUpwards(Semantics S) {
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

static bool hasNarrowAddresses(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Shared:
  case MemorySpace::Local:
  case MemorySpace::Constant:
  case MemorySpace::Param:
    return true;
  case MemorySpace::Global:
  case MemorySpace::Texture:
  case MemorySpace::Generic:
    return false;
  }
  return false;
}

std::vector<bool> gpuocc::upperHalvesUsed(const KernelFacts &Facts) {
  std::vector<bool> Used(Facts.Operations.size());
  auto Use = [&](const Operand &O) {
    if (!O.isValue() || Used[O.Index])
      return false;
    Used[O.Index] = true;
    return true;
  };
  auto IsNarrowAddress = [&](const Operation &Op, const Operand &O) {
    if (Op.Access == NoIndex)
      return false;
    const MemoryAccess &A = Facts.Accesses[Op.Access];
    return O == A.SharedBase || (O == A.Base && hasNarrowAddresses(A.Space));
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = Facts.Operations.size(); I-- != 0;) {
      const Operation &Op = Facts.Operations[I];
      if (Op.What == Semantics::Trunc && Op.Bits <= 32)
        continue;
      if (carriesUpwards(Op.What) && !Used[I])
        continue;
      for (const Operand &O : Op.Operands)
        if (!IsNarrowAddress(Op, O))
          Changed |= Use(O);
    }
  }
  return Used;
}
