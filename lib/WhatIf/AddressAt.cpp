//===- AddressAt.cpp - Integers that one thread computes ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressAt.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

std::optional<int64_t> AddressAt::within(const Operand &O, unsigned Deep) {
  if (O.isImmediate())
    return O.Imm;
  if (O.K == Operand::Kind::Symbol)
    return sharedSymbol(O);
  if (!O.isValue() || O.Index >= Facts.Operations.size() || Deep == 0)
    return std::nullopt;
  if (auto Known = Found.find(O.Index); Known != Found.end())
    return Known->second;
  const Operation &Op = Facts.Operations[O.Index];
  const std::optional<int64_t> Value = compute(Op, O.Result, Deep - 1);
  // Results of one parameter differ.
  if (Op.What != Semantics::Param)
    Found[O.Index] = Value;
  return Value;
}

static std::optional<int64_t> shifted(int64_t A, int64_t By) {
  return By >= 0 && By < 32 ? checkedMul(A, int64_t(1) << By) : std::nullopt;
}

static std::optional<int64_t> combine(Semantics What, int64_t A, int64_t B) {
  switch (What) {
  case Semantics::Add:
    return checkedAdd(A, B);
  case Semantics::Sub:
    return checkedSub(A, B);
  case Semantics::Mul:
  case Semantics::MulWideS:
  case Semantics::MulWideU:
    return checkedMul(A, B);
  case Semantics::Shl:
    return shifted(A, B);
  case Semantics::ShrS:
  case Semantics::ShrU:
    return A >= 0 && B >= 0 && B < 32 ? std::optional(A >> B) : std::nullopt;
  case Semantics::And:
    return A & B;
  case Semantics::Or:
    return A | B;
  case Semantics::Xor:
    return A ^ B;
  case Semantics::MinS:
    return std::min(A, B);
  case Semantics::MaxS:
    return std::max(A, B);
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> AddressAt::compute(const Operation &Op, uint16_t Result,
                                          unsigned Deep) {
  auto In = [&](unsigned K) {
    return K < Op.Operands.size() ? within(Op.Operands[K], Deep) : std::nullopt;
  };
  switch (Op.What) {
  case Semantics::SReg:
    return special(Op.SReg);
  case Semantics::Param:
    return parameter(Op, Result);
  case Semantics::Phi:
    return phi(Op, Deep);
  case Semantics::SymbolAddress: {
    const std::optional<int64_t> At =
        Op.Operands.empty() ? std::nullopt : sharedSymbol(Op.Operands[0]);
    return At ? checkedAdd(*At, Op.Imm) : std::nullopt;
  }
  case Semantics::Copy:
  case Semantics::SExt:
  case Semantics::ZExt:
  case Semantics::Trunc:
    return In(0);
  case Semantics::Neg:
    return In(0) ? checkedSub(int64_t(0), *In(0)) : std::nullopt;
  case Semantics::Mad:
  case Semantics::MadWideS:
  case Semantics::MadWideU: {
    const std::optional<int64_t> A = In(0), B = In(1), Added = In(2);
    return A && B && Added ? checkedMulAdd(*A, *B, *Added) : std::nullopt;
  }
  default:
    break;
  }
  if (Op.Operands.size() != 2)
    return std::nullopt;
  const std::optional<int64_t> A = In(0), B = In(1);
  return A && B ? combine(Op.What, *A, *B) : std::nullopt;
}

std::optional<int64_t> AddressAt::sharedSymbol(const Operand &O) const {
  if (O.K != Operand::Kind::Symbol || O.Index >= Facts.Symbols.size() ||
      Facts.Symbols[O.Index].Space != MemorySpace::Shared)
    return std::nullopt;
  const Symbol &S = Facts.Symbols[O.Index];
  return int64_t(S.IsDynamicShared ? Facts.StaticSharedBytes : S.OffsetBytes);
}

std::optional<int64_t> AddressAt::phi(const Operation &Op, unsigned Deep) {
  const uint32_t Index = Facts.Blocks[Op.Block].Loop;
  if (Index == NoIndex || Facts.Loops[Index].Header != Op.Block) {
    std::optional<int64_t> Lowest;
    if (TakesSides)
      for (const Operand &Side : Op.Operands)
        if (const std::optional<int64_t> Value = within(Side, Deep))
          Lowest = std::min(Lowest.value_or(*Value), *Value);
    return Lowest;
  }
  const std::vector<uint32_t> &Latches = Facts.Loops[Index].Latches;
  const bool IsSecond = Index == SecondPass;
  for (size_t K = 0; K != Op.Operands.size() && K != Op.PhiBlocks.size(); ++K) {
    if (is_contained(Latches, Op.PhiBlocks[K]) != IsSecond)
      continue;
    if (!IsSecond)
      return within(Op.Operands[K], Deep);
    // What the first pass leaves.
    return AddressAt(Facts, Launched, At).within(Op.Operands[K], Deep);
  }
  return std::nullopt;
}

std::optional<int64_t> gpuocc::argumentOf(const KernelFacts &Facts,
                                          const Launch &Launched,
                                          const Operation &Op,
                                          uint16_t Result) {
  const uint64_t Offset = uint64_t(parameterByteOf(Op, Result));
  for (unsigned I = 0; I != Facts.Parameters.size(); ++I) {
    const Parameter &P = Facts.Parameters[I];
    if (Offset < P.OffsetBytes || Offset >= P.OffsetBytes + P.SizeBytes)
      continue;
    const auto Given = Launched.Arguments.find(I);
    return !P.IsPointer && Given != Launched.Arguments.end() &&
                   !Given->second.Value.IsReal && Offset == P.OffsetBytes
               ? std::optional(Given->second.Value.Integer)
               : std::nullopt;
  }
  return std::nullopt;
}

std::optional<int64_t> AddressAt::parameter(const Operation &Op,
                                            uint16_t Result) const {
  const uint64_t Offset = uint64_t(parameterByteOf(Op, Result));
  const bool IsPointer = any_of(Facts.Parameters, [&](const Parameter &P) {
    return P.IsPointer && Offset >= P.OffsetBytes &&
           Offset < P.OffsetBytes + P.SizeBytes;
  });
  return IsPointer ? std::optional<int64_t>(0)
                   : argumentOf(Facts, Launched, Op, Result);
}

std::optional<int64_t> AddressAt::special(SpecialReg R) const {
  const Dim3 Block = Launched.Block.Value;
  switch (R) {
  case SpecialReg::TidX:
    return At.Thread[0];
  case SpecialReg::TidY:
    return At.Thread[1];
  case SpecialReg::TidZ:
    return At.Thread[2];
  case SpecialReg::CtaIdX:
    return At.Block[0];
  case SpecialReg::CtaIdY:
    return At.Block[1];
  case SpecialReg::CtaIdZ:
    return At.Block[2];
  case SpecialReg::NTidX:
    return int64_t(Block.X);
  case SpecialReg::NTidY:
    return int64_t(Block.Y);
  case SpecialReg::NTidZ:
    return int64_t(Block.Z);
  case SpecialReg::NCtaIdX:
    return Launched.Grid ? std::optional(int64_t(Launched.Grid->Value.X))
                         : std::nullopt;
  case SpecialReg::NCtaIdY:
    return Launched.Grid ? std::optional(int64_t(Launched.Grid->Value.Y))
                         : std::nullopt;
  default:
    return std::nullopt;
  }
}
