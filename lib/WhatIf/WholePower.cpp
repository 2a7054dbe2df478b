//===- WholePower.cpp - powf with a whole or half exponent ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/WholePower.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

using namespace gpuocc;
using namespace llvm;

unsigned WholePower::multiplications() const {
  if (Exponent == 0)
    return 0;
  return unsigned(std::bit_width(Exponent) - 1 + std::popcount(Exponent) - 1) +
         HasHalf;
}

/// The power that the bits of \p O, as a float, are the exponent of; nothing
/// where no product is cheaper.
static std::optional<WholePower> powerOf(const KernelFacts &Facts,
                                         const Operand &O) {
  const Operand Of = behindCopies(Facts, O);
  if (!Of.isImmediate())
    return std::nullopt;
  const float Value = std::bit_cast<float>(uint32_t(Of.Imm));
  const float Amount = std::fabs(Value), Whole = std::floor(Amount);
  if (!(Amount >= 0.5F && Amount <= float(WholePower::MostExponent)) ||
      Value == 1 || (Amount != Whole && Amount != Whole + 0.5F))
    return std::nullopt;
  WholePower P;
  P.Exponent = unsigned(Whole);
  P.HasHalf = Amount != Whole;
  P.IsNegative = Value < 0;
  return P;
}

namespace {

/// Looks for the operations of one power.
class Extent {
public:
  Extent(const KernelFacts &Facts, uint32_t Product)
      : Facts(Facts), Product(Product), Is(Facts.Operations.size()) {}

  uint32_t result() const { return Meet; }

  /// Empty where the extent is not certain.
  std::vector<uint32_t> find() {
    if (!addBefore(Product))
      return {};
    addBehind();
    if (Meet == NoIndex || !addCases())
      return {};
    std::vector<uint32_t> Ops;
    for (uint32_t I = 0; I != Is.size(); ++I)
      if (Is[I])
        Ops.push_back(I);
    return Ops;
  }

private:
  const KernelFacts &Facts;
  uint32_t Product;
  std::vector<bool> Is;
  bool HasBase = false;
  /// The phi of all cases.
  uint32_t Meet = NoIndex;

  bool isOnLine(const Operation &Op) const {
    const SourcePlace There = Facts.placeOf(Op.Location);
    const SourcePlace Own = Facts.placeOf(Facts.Operations[Product].Location);
    return !There.isValid() ||
           (There.File == Own.File && There.Line == Own.Line);
  }

  static bool isArithmetic(const Operation &Op) {
    switch (Op.What) {
    case Semantics::Opaque:
    case Semantics::Load:
    case Semantics::Phi:
    case Semantics::Param:
    case Semantics::SReg:
      return false;
    default:
      return Op.Access == NoIndex;
    }
  }

  /// Marks what \p From is computed from, back to an absolute value.
  bool addBefore(uint32_t From) {
    SmallVector<uint32_t, 32> Work = {From};
    while (!Work.empty()) {
      const uint32_t I = Work.pop_back_val();
      const Operation &Op = Facts.Operations[I];
      if (Is[I])
        continue;
      if (!isArithmetic(Op) || !isOnLine(Op))
        return false;
      if (Op.What == Semantics::FAbs) {
        HasBase = true;
        continue;
      }
      Is[I] = true;
      for (const Operand &O : Op.Operands)
        if (O.isValue())
          Work.push_back(O.Index);
    }
    return HasBase;
  }

  bool readsMarked(const Operation &Op) const {
    return any_of(Op.Operands, [&](const Operand &O) {
      return O.isValue() && O.Index < Is.size() && Is[O.Index];
    });
  }

  /// Marks what is computed from marked operations up to the first phi.
  void addBehind() {
    for (uint32_t I = 0; I != Is.size() && Meet == NoIndex; ++I) {
      const Operation &Op = Facts.Operations[I];
      if (Is[I] || !readsMarked(Op))
        continue;
      if (Op.What == Semantics::Phi && isOnLine(Op))
        Meet = I;
      else if (isArithmetic(Op) && isOnLine(Op))
        Is[I] = true;
    }
  }

  /// Marks the special cases: what is between the branches on the base and the
  /// phi.
  bool addCases() {
    const uint32_t End = Facts.Operations[Meet].Block;
    for (uint32_t I = 0; I != Facts.Branches.size(); ++I) {
      const gpuocc::Branch &B = Facts.Branches[I];
      if (Facts.Blocks[B.Block].PostDominator != End || B.Op == NoIndex ||
          !isOnLine(Facts.Operations[B.Op]))
        continue;
      for (uint32_t Block : blocksOfBranch(Facts, I)) {
        const BasicBlock &Side = Facts.Blocks[Block];
        for (uint32_t Op = Side.FirstOp; Op != Side.FirstOp + Side.NumOps;
             ++Op) {
          if (Facts.Operations[Op].Access != NoIndex ||
              !isOnLine(Facts.Operations[Op]))
            return false;
          Is[Op] = true;
        }
      }
      Is[B.Op] = true;
      if (B.Condition.isValue())
        Is[B.Condition.Index] = true;
    }
    return true;
  }
};

} // namespace

/// True where an operation adds up what \p Product lost by rounding: the
/// product once more, less what it was rounded to.
static bool isCorrected(const KernelFacts &Facts, uint32_t Product) {
  auto IsNegated = [&](const Operand &O) {
    const Operation *Op = Facts.operationOf(behindCopies(Facts, O));
    return Op && Op->What == Semantics::FNeg &&
           behindCopies(Facts, Op->Operands[0]) == Operand::value(Product);
  };
  const Operand Upper = Facts.Operations[Product].Operands[0];
  return any_of(Facts.Operations, [&](const Operation &Op) {
    return Op.What == Semantics::FFma && Op.Operands.size() == 3 &&
           Op.Operands[0] == Upper && IsNegated(Op.Operands[2]);
  });
}

std::vector<WholePower> gpuocc::wholePowers(const KernelFacts &Facts) {
  constexpr unsigned Single = 32;
  std::vector<WholePower> Found;
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    if (Op.What != Semantics::FMul || Op.Bits != Single ||
        Op.Operands.size() != 2)
      continue;
    std::optional<WholePower> P = powerOf(Facts, Op.Operands[1]);
    if (!P || !isCorrected(Facts, I))
      continue;
    P->Product = I;
    Extent All(Facts, I);
    P->Ops = All.find();
    P->Result = All.result();
    if (!P->Ops.empty())
      Found.push_back(std::move(*P));
  }
  return Found;
}

/// Divisions by \p Power become products.
static void multiplyByRoot(KernelFacts &Facts, const WholePower &Power) {
  const Operand Divisor = Operand::value(Power.Result);
  for (Operation &Op : Facts.Operations)
    if (Op.What == Semantics::FDiv && Op.Operands.size() == 2 &&
        behindCopies(Facts, Op.Operands[1]) == Divisor)
      Op.Emits = {{InstClass::FMul, 1, 1}};
}

Change gpuocc::multiplyOut(std::vector<WholePower> Powers) {
  return makeChange(
      ChangeKind::MultiplyOut, [Powers = std::move(Powers)](KernelVariant &V) {
        for (const WholePower &P : Powers) {
          for (uint32_t Op : P.Ops)
            V.Facts.Operations[Op].Emits.clear();
          SmallVector<Emission, 1> &Emits = V.Facts.Operations[P.Product].Emits;
          // The reciprocal root is what there is an instruction for: x^-1.5 is
          // the third power of it, and x^1.5 is x * x times it.
          if (P.HasHalf)
            Emits.push_back({InstClass::MufuRsq, 1, 1});
          else if (P.IsNegative)
            Emits.push_back({InstClass::MufuRcp, 1, 1});
          if (P.HasHalf && !P.IsNegative)
            multiplyByRoot(V.Facts, P);
          const float Count = float(P.multiplications() + P.HasHalf);
          if (Count > 0)
            Emits.push_back({InstClass::FMul, Count, Count});
        }
      });
}
