//===- UpperHalves.cpp - Which halves of wide values are needed -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/UpperHalves.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

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

bool gpuocc::isUpperHalfZero(const Operand &O, const std::vector<bool> &Zero) {
  return O.isValue() ? Zero[O.Index] && O.Result == 0
                     : O.isImmediate() && isUInt<32>(uint64_t(O.Imm));
}

std::vector<bool> gpuocc::upperHalvesZero(const KernelFacts &Facts) {
  std::vector<bool> Zero(Facts.Operations.size());
  auto IsZero = [&](const Operand &O) { return isUpperHalfZero(O, Zero); };
  for (size_t I = 0; I != Facts.Operations.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    if (Op.Bits != 64 || Op.Access != NoIndex)
      continue;
    switch (Op.What) {
    case Semantics::ZExt:
      Zero[I] = Op.FromBits <= 32;
      break;
    case Semantics::And:
      Zero[I] = any_of(Op.Operands, IsZero);
      break;
    case Semantics::Or:
    case Semantics::Xor:
    case Semantics::Copy:
      Zero[I] = all_of(Op.Operands, IsZero);
      break;
    case Semantics::ShrU:
      Zero[I] = IsZero(Op.Operands[0]) ||
                (Op.Operands[1].isImmediate() && Op.Operands[1].Imm >= 32);
      break;
    default:
      break;
    }
  }
  return Zero;
}
