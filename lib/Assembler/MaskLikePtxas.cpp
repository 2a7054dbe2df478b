//===- MaskLikePtxas.cpp - Masks of bits that are not set --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc computes with bytes in registers of 16 bits and masks what it made of
/// them: `xor.b16`, `cvt.u32.u16`, `and 255`. ptxas knows that a byte that was
/// loaded has zeros above it. Seen in code of ptxas 13.0 for sm_90: 32 pairs of
/// bytes that are compared bit by bit take 32 LOP3, not 64.
///
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Operations that are looked at behind one another.
static constexpr unsigned MaxDepth = 6;

static constexpr uint64_t AllBits = ~uint64_t(0);

static uint64_t bitsOfLoad(const KernelFacts &Facts, const Operation &Op) {
  const MemoryAccess &A = Facts.Accesses[Op.Access];
  const bool HasZerosAbove = A.Kind == AccessKind::Load &&
                             A.SignExtendedTo == 0 && Op.NumResults == 1 &&
                             A.BytesPerLane <= 2;
  return HasZerosAbove ? maskTrailingOnes<uint64_t>(8 * A.BytesPerLane)
                       : AllBits;
}

/// The bits of \p O that may be set, as far as bytes and halves that were
/// loaded, masks and constants tell.
static uint64_t possibleBits(const KernelFacts &Facts, const Operand &O,
                             unsigned Depth = 0) {
  if (O.isImmediate())
    return uint64_t(O.Imm);
  const Operation *Op = Facts.operationOf(O);
  if (!Op || Depth > MaxDepth)
    return AllBits;
  if (Op->Access < Facts.Accesses.size())
    return bitsOfLoad(Facts, *Op);
  const auto Of = [&](unsigned I) {
    return I < Op->Operands.size()
               ? possibleBits(Facts, Op->Operands[I], Depth + 1)
               : AllBits;
  };
  switch (Op->What) {
  case Semantics::And:
    return Of(0) & Of(1);
  case Semantics::Or:
  case Semantics::Xor:
    return Of(0) | Of(1);
  case Semantics::Copy:
    return Of(0);
  case Semantics::ZExt:
    return Of(0) &
           (Op->FromBits ? maskTrailingOnes<uint64_t>(Op->FromBits) : AllBits);
  case Semantics::Trunc:
    return Of(0) & maskTrailingOnes<uint64_t>(std::min<unsigned>(Op->Bits, 64));
  default:
    return AllBits;
  }
}

static bool isLowPartAlone(const KernelFacts &Facts, const Operand &O,
                           uint64_t Low) {
  return !(possibleBits(Facts, O) & ~Low);
}

void gpuocc::dropMasksLikePtxas(KernelFacts &Facts) {
  for (Operation &Op : Facts.Operations) {
    if (Op.What == Semantics::ZExt && Op.FromBits && Op.FromBits < 32 &&
        !Op.Operands.empty() &&
        isLowPartAlone(Facts, Op.Operands[0],
                       maskTrailingOnes<uint64_t>(Op.FromBits))) {
      Op.Emits.clear();
    } else if (Op.What == Semantics::And && Op.Operands.size() == 2 &&
               Op.Operands[1].isImmediate() && Op.Operands[1].Imm >= 0 &&
               isLowPartAlone(Facts, Op.Operands[0],
                              uint64_t(Op.Operands[1].Imm))) {
      Op.What = Semantics::Copy;
      Op.Operands.pop_back();
      Op.Emits.clear();
    }
  }
}
