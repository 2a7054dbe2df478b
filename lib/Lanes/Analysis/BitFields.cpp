//===- BitFields.cpp - Loaded values that are taken apart -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/BitFields.h"
#include "gpuocc/Kernel/Copies.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

/// Widest value that is a field and not a number.
static constexpr unsigned WidestField = 16;

/// True if a permutation by \p Selector gives one byte of its first operand,
/// other than the lowest, and zeros.
static bool isByteAbove(int64_t Selector) {
  constexpr unsigned BytesOfWord = 4, BitsOfChoice = 4;
  auto Chosen = [&](unsigned Byte) {
    return Selector >> (Byte * BitsOfChoice) & 15;
  };
  if (Chosen(0) == 0 || Chosen(0) >= BytesOfWord)
    return false;
  for (unsigned Byte = 1; Byte != BytesOfWord; ++Byte)
    if (Chosen(Byte) < BytesOfWord || Chosen(Byte) >= 2 * BytesOfWord)
      return false;
  return true;
}

/// What \p Op cuts a field out of, above the lowest bits; null if it does not.
static const Operand *cutFrom(const KernelFacts &Facts, const Operation &Op) {
  ArrayRef<Operand> A = Op.Operands;
  auto Shifted = [&](const Operand &O) -> const Operand * {
    const Operation *Shift = Facts.operationOf(behindWidths(Facts, O));
    return Shift &&
                   (Shift->What == Semantics::ShrU ||
                    Shift->What == Semantics::ShrS) &&
                   Shift->Operands.size() == 2
               ? &Shift->Operands[0]
               : nullptr;
  };
  switch (Op.What) {
  case Semantics::BfeU:
  case Semantics::BfeS:
    return A.size() == 3 && A[2].isImmediate() && A[2].Imm > 0 &&
                   A[2].Imm <= WidestField && A[1] != Operand::immediate(0)
               ? &A[0]
               : nullptr;
  case Semantics::And:
    return A.size() == 2 && A[1].isImmediate() && A[1].Imm > 0 &&
                   A[1].Imm < int64_t(1) << WidestField
               ? Shifted(A[0])
               : nullptr;
  case Semantics::Trunc:
    return A.size() == 1 && Op.Bits <= WidestField ? Shifted(A[0]) : nullptr;
  case Semantics::Prmt:
    return A.size() == 3 && A[1] == Operand::immediate(0) &&
                   A[2].isImmediate() && isByteAbove(A[2].Imm)
               ? &A[0]
               : nullptr;
  default:
    return nullptr;
  }
}

std::vector<bool> gpuocc::findBitFields(const KernelFacts &Facts) {
  std::vector<bool> Found(Facts.Operations.size()), Seen(Found.size());
  SmallVector<uint32_t, 16> Work;
  auto Enter = [&](const Operand &O) {
    if (Facts.operationOf(O) && !Seen[O.Index]) {
      Seen[O.Index] = true;
      Work.push_back(O.Index);
    }
  };
  for (const Operation &Op : Facts.Operations)
    if (const Operand *From = cutFrom(Facts, Op))
      Enter(*From);
  while (!Work.empty()) {
    const uint32_t Index = Work.pop_back_val();
    const Operation &Op = Facts.Operations[Index];
    switch (Op.What) {
    case Semantics::Load:
      Found[Index] = true;
      break;
    case Semantics::Copy:
    case Semantics::Trunc:
    case Semantics::ZExt:
    case Semantics::SExt:
    case Semantics::Phi:
    case Semantics::Xor:
    case Semantics::Not:
      for_each(Op.Operands, Enter);
      break;
    default:
      break;
    }
  }
  return Found;
}
