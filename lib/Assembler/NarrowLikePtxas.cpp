//===- NarrowLikePtxas.cpp - Halves that ptxas leaves out ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/UpperHalves.h"
#include "gpuocc/Support/InstClasses.h"

using namespace gpuocc;
using namespace llvm;

/// Of a product of 64 bits, what the halves of its factors leave to do.
///
/// Source: ptxas 13.0 for sm_90 (mul.lo.s64): of factors whose upper halves are
/// zero IMAD.WIDE and IADD3, of one such register and one of 64 bits IMAD.WIDE
/// and IMAD, with a constant in place of the register IADD3 as well; of the
/// lower half alone IMAD.
static void narrowProduct(Operation &Op, bool IsUpperUsed, bool IsFirstNarrow,
                          bool IsSecondNarrow) {
  const bool HasConstant =
      Op.Operands[0].isImmediate() || Op.Operands[1].isImmediate();
  if (!IsUpperUsed)
    Op.Emits = {{InstClass::IMad}};
  else if (IsFirstNarrow && IsSecondNarrow)
    Op.Emits = {{InstClass::IMadWide}, {InstClass::IAdd3}};
  else if (HasConstant)
    Op.Emits = {
        {InstClass::IMad, 1, 0}, {InstClass::IMadWide}, {InstClass::IAdd3}};
  else
    Op.Emits = {{InstClass::IMadWide}, {InstClass::IMad}};
}

/// Both halves of \p Op become one instruction.
static void halve(Operation &Op) {
  for (Emission &E : Op.Emits)
    if (E.Count == 2)
      E.Count = E.OnPath = 1;
}

/// Leaves out what the upper halves of operands that are zero make needless.
static void narrowByZeros(KernelFacts &Facts,
                          const std::vector<bool> &UpperUsed) {
  const std::vector<bool> Zero = upperHalvesZero(Facts);
  for (size_t I = 0; I != Facts.Operations.size(); ++I) {
    Operation &Op = Facts.Operations[I];
    if (Op.Bits != 64 || Op.Access != NoIndex || Op.Operands.size() != 2)
      continue;
    const bool First = isUpperHalfZero(Op.Operands[0], Zero),
               Second = isUpperHalfZero(Op.Operands[1], Zero);
    switch (Op.What) {
    case Semantics::Mul:
      // Products of 64 bits that something else made have other instructions.
      if (Op.Emits.size() == 3 && (First || Second || !UpperUsed[I]))
        narrowProduct(Op, UpperUsed[I], First, Second);
      break;
    case Semantics::And:
    case Semantics::Or:
    case Semantics::Xor:
      if (First || Second)
        halve(Op);
      break;
    case Semantics::ShrU:
      if (First)
        halve(Op);
      break;
    default:
      break;
    }
  }
}

void gpuocc::narrowLikePtxas(KernelFacts &Facts) {
  const std::vector<bool> Used = upperHalvesUsed(Facts);
  narrowByZeros(Facts, Used);
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
    halve(Op);
  }
}
