//===- LinearStretch.cpp - How long values stay linear --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/LinearStretch.h"
#include "Walk/LaneValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

namespace {

using Wide = __int128;

/// A number and its growth, both signed.
struct Line {
  Wide Now = 0, Step = 0;

  Line(const LinearValue &V, unsigned Bits)
      : Now(signExtend(V.Now, Bits)), Step(signExtend(V.Step, Bits)) {}
  Line(Wide Now, Wide Step) : Now(Now), Step(Step) {}

  /// Iterations in which it stays between \p Low and \p High, where it is now.
  uint64_t stepsWithin(Wide Low, Wide High) const {
    if (Now < Low || Now > High)
      return 0;
    if (Step == 0)
      return EndlessStretch;
    return uint64_t(Step > 0 ? (High - Now) / Step : (Now - Low) / -Step);
  }

  /// The same for its sign in \p Bits bits.
  uint64_t stepsOfSign(unsigned Bits) const {
    const Wide Half = Wide(1) << (Bits - 1);
    return Now < 0 ? stepsWithin(-Half, -1) : stepsWithin(0, Half - 1);
  }

  /// The same for its relation to zero.
  uint64_t stepsOfOrder() const {
    constexpr Wide Most = Wide(1) << 100;
    return Now == 0  ? stepsWithin(0, 0)
           : Now < 0 ? stepsWithin(-Most, -1)
                     : stepsWithin(1, Most);
  }
};

} // namespace

static bool isConstant(const LinearValue &V) { return V.Step == 0; }

/// Iterations in which \p Dividend has the same quotient by \p Divisor.
static uint64_t stepsOfQuotient(const Line &Dividend, const Line &Divisor) {
  if (Divisor.Step != 0 || Divisor.Now <= 0 || Dividend.Now < 0)
    return 0;
  const Wide Low = Dividend.Now / Divisor.Now * Divisor.Now;
  return Dividend.stepsWithin(Low, Low + Divisor.Now - 1);
}

/// The power of two that \p Mask leaves the remainder of; 0 for other masks.
static Wide divisorOfMask(const Line &Mask) {
  const bool IsMask =
      Mask.Step == 0 && Mask.Now > 0 && (Mask.Now & (Mask.Now + 1)) == 0;
  return IsMask ? Mask.Now + 1 : 0;
}

static unsigned operandBits(const LinearOp &Op) {
  switch (Op.What) {
  case Semantics::SExt:
  case Semantics::ZExt:
  case Semantics::Trunc:
    return Op.FromBits;
  case Semantics::MulWideS:
  case Semantics::MulWideU:
    return Op.Bits / 2;
  default:
    return Op.Bits;
  }
}

uint64_t gpuocc::linearStretch(const LinearOp &Op,
                               ArrayRef<LinearValue> Operands,
                               const LinearValue &Result) {
  if (all_of(Operands, isConstant))
    return isConstant(Result) ? EndlessStretch : 0;
  const unsigned Bits = std::clamp(operandBits(Op), 1u, 64u);
  SmallVector<Line, 4> In;
  for (const LinearValue &V : Operands)
    In.push_back(Line(V, Bits));
  auto OfSigns = [&] {
    uint64_t Steps = Line(Result, Op.Bits).stepsOfSign(Op.Bits);
    for (const Line &L : In)
      Steps = std::min(Steps, L.stepsOfSign(Bits));
    return Steps;
  };
  auto OfOrder = [&] {
    const Line Difference(In[0].Now - In[1].Now, In[0].Step - In[1].Step);
    return std::min({In[0].stepsOfSign(Bits), In[1].stepsOfSign(Bits),
                     Difference.stepsOfOrder()});
  };
  const Line Out(Result, Op.Bits);
  auto IfStep = [&](Wide Step, uint64_t Steps) {
    return Out.Step == Step ? Steps : 0;
  };
  switch (Op.What) {
  case Semantics::Copy:
  case Semantics::Add:
  case Semantics::Sub:
  case Semantics::Neg:
  case Semantics::SExt:
  case Semantics::ZExt:
  case Semantics::Trunc:
    return OfSigns();
  case Semantics::Mul:
  case Semantics::MulWideS:
  case Semantics::MulWideU:
  case Semantics::Mad:
    return isConstant(Operands[0]) || isConstant(Operands[1]) ? OfSigns() : 0;
  case Semantics::Shl:
    return isConstant(Operands[1]) ? OfSigns() : 0;
  case Semantics::Compare:
    return IfStep(0, OfOrder());
  case Semantics::MinS:
  case Semantics::MinU:
  case Semantics::MaxS:
  case Semantics::MaxU:
    return IfStep(In[Result.Now == Operands[0].Now ? 0 : 1].Step, OfOrder());
  case Semantics::Select:
    return isConstant(Operands[2])
               ? IfStep(In[Operands[2].Now & 1 ? 0 : 1].Step, EndlessStretch)
               : 0;
  case Semantics::DivS:
  case Semantics::DivU:
    return IfStep(0, stepsOfQuotient(In[0], In[1]));
  case Semantics::RemS:
  case Semantics::RemU:
    return IfStep(In[0].Step, stepsOfQuotient(In[0], In[1]));
  case Semantics::ShrS:
  case Semantics::ShrU:
    if (!isConstant(Operands[1]) || In[1].Now < 0 || In[1].Now >= Bits)
      return 0;
    return IfStep(
        0, stepsOfQuotient(In[0], Line(Wide(1) << unsigned(In[1].Now), 0)));
  case Semantics::And:
    for (unsigned I : {0u, 1u})
      if (const Wide Divisor = divisorOfMask(In[I]))
        return IfStep(In[1 - I].Step,
                      stepsOfQuotient(In[1 - I], Line(Divisor, 0)));
    return 0;
  default:
    return 0;
  }
}
