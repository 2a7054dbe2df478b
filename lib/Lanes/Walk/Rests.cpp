//===- Rests.cpp - What a result rests on ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/Rests.h"
#include <algorithm>
#include <bit>

using namespace gpuocc;
using namespace llvm;

/// Powers of two in \p V; 63 for zero.
static unsigned alignLog2(uint64_t V) {
  return V == 0 ? 63 : unsigned(std::countr_zero(V));
}

static unsigned capAlign(unsigned A) { return std::min(A, 63u); }

/// Bits that some lane of \p A has set.
static uint64_t bitsSet(const LaneValue &A) {
  if (A.Uniform)
    return A.V[0];
  uint64_t All = 0;
  for (uint64_t V : A.V)
    All |= V;
  return All;
}

/// The alignment of the unknown addend of a sum.
static unsigned sumAlign(const LaneValue &A, const LaneValue &B) {
  unsigned Align = 63;
  if (A.Base)
    Align = std::min<unsigned>(Align, A.BaseAlignLog2);
  if (B.Base)
    Align = std::min<unsigned>(Align, B.BaseAlignLog2);
  return Align;
}

static Rests sum(const LaneValue &A, const LaneValue &B) {
  return {A.Base | B.Base, A.Shape | B.Shape, sumAlign(A, B)};
}

/// Product of \p A and \p B: an unknown addend survives the multiplication
/// with a known uniform factor.
static Rests product(const LaneValue &A, const LaneValue &B) {
  auto Scaled = [](const LaneValue &X, const LaneValue &Factor) {
    return Rests{X.Base, X.Shape,
                 capAlign(X.BaseAlignLog2 + alignLog2(Factor.V[0]))};
  };
  if (!A.taint() && !B.taint())
    return Rests();
  if (!B.taint() && B.Uniform)
    return Scaled(A, B);
  if (!A.taint() && A.Uniform)
    return Scaled(B, A);
  TaintMask All = A.taint() | B.taint();
  if (A.isKnownUniform() && B.isKnownUniform()) {
    // An untainted factor is exact, a tainted one is its value plus a multiple
    // of its alignment.
    auto FactorAlign = [](const LaneValue &X) {
      unsigned Align = alignLog2(X.V[0]);
      return X.Base ? std::min<unsigned>(Align, X.BaseAlignLog2) : Align;
    };
    return {All, 0, capAlign(FactorAlign(A) + FactorAlign(B))};
  }
  return {0, All, 63};
}

static Rests combine(const Rests &A, const Rests &B) {
  unsigned Align = 63;
  if (A.Base)
    Align = std::min(Align, A.Align);
  if (B.Base)
    Align = std::min(Align, B.Align);
  return {A.Base | B.Base, A.Shape | B.Shape, Align};
}

static Rests same(const LaneValue &A) {
  return {A.Base, A.Shape, A.BaseAlignLog2};
}

Rests gpuocc::mixed(ArrayRef<const LaneValue *> O) {
  TaintMask All = 0;
  bool Uniform = true;
  for (const LaneValue *V : O) {
    All |= V->taint();
    Uniform &= V->isKnownUniform();
  }
  return Uniform ? Rests{All, 0, 0} : Rests{0, All, 63};
}

/// True if the sum of \p A and \p B has no carries, whatever the unknown
/// addend of one of them is.
static bool disjointAddends(const LaneValue &A, const LaneValue &B) {
  auto FitsBelow = [](const LaneValue &Tainted, const LaneValue &Plain) {
    return !Plain.taint() && Tainted.BaseAlignLog2 < 64 &&
           bitsSet(Plain) <= lowBits(Tainted.BaseAlignLog2) &&
           (bitsSet(Tainted) & bitsSet(Plain)) == 0;
  };
  return FitsBelow(A, B) || FitsBelow(B, A);
}

Rests gpuocc::restsOf(const SliceOp &Op, unsigned ResultIndex,
                      ArrayRef<const LaneValue *> O) {
  TaintMask All = 0;
  for (const LaneValue *V : O)
    All |= V->taint();
  if (!All)
    return Rests();
  switch (Op.What) {
  case Semantics::Copy:
  case Semantics::SExt:
  case Semantics::ZExt:
  case Semantics::Trunc:
  case Semantics::Neg:
    return same(*O[0]);
  case Semantics::Unpack:
    return ResultIndex == 0 ? same(*O[0]) : mixed(O);
  case Semantics::Add:
  case Semantics::Sub:
    return sum(*O[0], *O[1]);
  case Semantics::Mul:
  case Semantics::MulWideS:
  case Semantics::MulWideU:
    return product(*O[0], *O[1]);
  case Semantics::Mad:
  case Semantics::MadWideS:
  case Semantics::MadWideU:
    return combine(product(*O[0], *O[1]), same(*O[2]));
  case Semantics::Shl:
    if (!O[1]->taint() && O[1]->Uniform)
      return {O[0]->Base, O[0]->Shape,
              capAlign(O[0]->BaseAlignLog2 +
                       unsigned(std::min<uint64_t>(O[1]->V[0], 63)))};
    return mixed(O);
  case Semantics::And:
    for (unsigned I = 0; I < 2; ++I) {
      const LaneValue &Value = *O[I], &Mask = *O[1 - I];
      if (!Mask.taint() && bitsSet(Mask) == 0)
        return Rests();
      if (!Mask.taint() && !Value.Shape &&
          bitsSet(Mask) <= lowBits(Value.BaseAlignLog2))
        return Rests();
    }
    return mixed(O);
  case Semantics::Or:
    for (const LaneValue *Value : O)
      if (!Value->taint() && Value->Uniform &&
          (Value->V[0] & lowBits(Op.Bits)) == lowBits(Op.Bits))
        return Rests();
    [[fallthrough]];
  case Semantics::Xor:
    return disjointAddends(*O[0], *O[1]) ? sum(*O[0], *O[1]) : mixed(O);
  case Semantics::Select:
    if (!O[2]->taint() && O[2]->Uniform)
      return same(O[2]->V[0] & 1 ? *O[0] : *O[1]);
    return mixed(O);
  case Semantics::MatchAny:
    return {0, O[0]->Shape, 0};
  case Semantics::Shuffle: {
    TaintMask How = O[1]->taint() | (O.size() > 2 ? O[2]->taint() : 0);
    if (ResultIndex != 0)
      return {0, How, 63};
    return {O[0]->Base, O[0]->Shape | How, O[0]->BaseAlignLog2};
  }
  case Semantics::Ballot:
  case Semantics::VoteAny:
  case Semantics::VoteAll:
    return {O[0]->taint(), 0, 0};
  default:
    return mixed(O);
  }
}
