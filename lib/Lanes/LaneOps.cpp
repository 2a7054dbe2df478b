//===- LaneOps.cpp - Evaluate one operation in 32 lanes -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneOps.h"
#include "FloatOps.h"
#include <algorithm>
#include <functional>

using namespace gpuocc;
using namespace llvm;

namespace {

using Operands = ArrayRef<const LaneValue *>;

/// The lanes of an operand, spread to an array when they are all the same.
class Lanes {
public:
  explicit Lanes(const LaneValue &Value) {
    if (Value.Uniform) {
      Spread.fill(Value.V[0]);
      P = Spread.data();
    } else {
      P = Value.V.data();
    }
  }
  uint64_t operator[](unsigned L) const { return P[L]; }

private:
  alignas(32) std::array<uint64_t, WarpLanes> Spread;
  const uint64_t *P;
};

template <typename F> void map1(LaneValue &Out, Operands O, F Compute) {
  Out.Uniform = O[0]->Uniform;
  if (Out.Uniform) {
    Out.V[0] = Compute(O[0]->V[0]);
    return;
  }
  const LaneValue &A = *O[0];
  for (unsigned L = 0; L < WarpLanes; ++L)
    Out.V[L] = Compute(A.V[L]);
}

template <typename F> void map2(LaneValue &Out, Operands O, F Compute) {
  Out.Uniform = O[0]->Uniform && O[1]->Uniform;
  if (Out.Uniform) {
    Out.V[0] = Compute(O[0]->V[0], O[1]->V[0]);
    return;
  }
  Lanes A(*O[0]), B(*O[1]);
  for (unsigned L = 0; L < WarpLanes; ++L)
    Out.V[L] = Compute(A[L], B[L]);
}

template <typename F> void map3(LaneValue &Out, Operands O, F Compute) {
  Out.Uniform = O[0]->Uniform && O[1]->Uniform && O[2]->Uniform;
  if (Out.Uniform) {
    Out.V[0] = Compute(O[0]->V[0], O[1]->V[0], O[2]->V[0]);
    return;
  }
  Lanes A(*O[0]), B(*O[1]), C(*O[2]);
  for (unsigned L = 0; L < WarpLanes; ++L)
    Out.V[L] = Compute(A[L], B[L], C[L]);
}

bool isSigned(ComparePredicate P) {
  return P == ComparePredicate::LTS || P == ComparePredicate::LES ||
         P == ComparePredicate::GTS || P == ComparePredicate::GES;
}

/// Signed numbers of \p Bits bits whose sign bit is flipped stand in the order
/// of unsigned ones.
uint64_t signBit(unsigned Bits) {
  return Bits ? uint64_t(1) << (std::min(Bits, 64u) - 1) : 0;
}

/// One loop over the lanes for each predicate.
void compareLanes(ComparePredicate P, unsigned Bits, Operands O,
                  LaneValue &Out) {
  const uint64_t Mask = lowBits(Bits), Flip = isSigned(P) ? signBit(Bits) : 0;
  auto Map = [&](auto Holds) {
    map2(Out, O, [=](uint64_t A, uint64_t B) {
      return uint64_t(Holds((A & Mask) ^ Flip, (B & Mask) ^ Flip));
    });
  };
  switch (P) {
  case ComparePredicate::EQ:
    return Map(std::equal_to<>());
  case ComparePredicate::NE:
    return Map(std::not_equal_to<>());
  case ComparePredicate::LTS:
  case ComparePredicate::LTU:
    return Map(std::less<>());
  case ComparePredicate::LES:
  case ComparePredicate::LEU:
    return Map(std::less_equal<>());
  case ComparePredicate::GTS:
  case ComparePredicate::GTU:
    return Map(std::greater<>());
  case ComparePredicate::GES:
  case ComparePredicate::GEU:
    return Map(std::greater_equal<>());
  case ComparePredicate::Other:
    return Map([](uint64_t, uint64_t) { return false; });
  }
}

uint64_t mulHigh(uint64_t A, uint64_t B, unsigned Bits, bool Signed) {
  if (Signed) {
    __int128 P = __int128(signExtend(A, Bits)) * signExtend(B, Bits);
    return uint64_t(P >> Bits) & lowBits(Bits);
  }
  unsigned __int128 P =
      static_cast<unsigned __int128>(A & lowBits(Bits)) * (B & lowBits(Bits));
  return uint64_t(P >> Bits) & lowBits(Bits);
}

uint64_t divide(uint64_t A, uint64_t B, unsigned Bits, bool Signed,
                bool Remainder) {
  uint64_t M = lowBits(Bits);
  A &= M;
  B &= M;
  if (B == 0)
    return Remainder ? A : M;
  if (!Signed)
    return Remainder ? A % B : A / B;
  int64_t SA = signExtend(A, Bits), SB = signExtend(B, Bits);
  if (SB == -1)
    return Remainder ? 0 : (0 - A) & M;
  return uint64_t(Remainder ? SA % SB : SA / SB) & M;
}

uint64_t shift(Semantics What, uint64_t A, uint64_t Amount, unsigned Bits) {
  uint64_t M = lowBits(Bits);
  A &= M;
  Amount &= 0xffffffffu;
  if (What == Semantics::Shl)
    return Amount >= Bits ? 0 : (A << Amount) & M;
  if (What == Semantics::ShrU)
    return Amount >= Bits ? 0 : A >> Amount;
  return uint64_t(signExtend(A, Bits) >> std::min<uint64_t>(Amount, Bits - 1)) &
         M;
}

uint64_t funnel(bool Left, uint64_t Low, uint64_t High, uint64_t Amount) {
  uint64_t Pair = (High << 32) | (Low & 0xffffffffu);
  Amount &= 31;
  return Left ? (Pair << Amount) >> 32 : (Pair >> Amount) & 0xffffffffu;
}

/// PTX bfe: position and length are bytes; bits past the sign repeat it.
uint64_t extractField(uint64_t A, uint64_t Pos, uint64_t Len, unsigned Bits,
                      bool Signed) {
  Pos &= 0xff;
  Len &= 0xff;
  if (Len == 0)
    return 0;
  A &= lowBits(Bits);
  unsigned Last = unsigned(std::min<uint64_t>(Pos + Len - 1, Bits - 1));
  uint64_t Sign = Signed ? (A >> Last) & 1 : 0;
  uint64_t Field = Pos >= Bits ? 0 : A >> Pos;
  uint64_t Kept = Pos >= Bits ? 0 : std::min<uint64_t>(Len, Bits - Pos);
  Field &= lowBits(unsigned(Kept));
  if (Sign)
    Field |= ~lowBits(unsigned(Kept));
  return Field & lowBits(Bits);
}

uint64_t insertField(uint64_t A, uint64_t B, uint64_t Pos, uint64_t Len,
                     unsigned Bits) {
  Pos &= 0xff;
  Len &= 0xff;
  uint64_t M = lowBits(Bits);
  if (Pos >= Bits || Len == 0)
    return B & M;
  uint64_t Field = (lowBits(unsigned(std::min<uint64_t>(Len, 64))) << Pos) & M;
  return ((B & ~Field) | ((A << Pos) & Field)) & M;
}

uint64_t bytePermute(uint64_t A, uint64_t B, uint64_t Selector) {
  uint64_t Pair = (B << 32) | (A & 0xffffffffu), Result = 0;
  for (unsigned I = 0; I < 4; ++I) {
    unsigned Nibble = (Selector >> (4 * I)) & 0xf;
    uint64_t Byte = (Pair >> (8 * (Nibble & 7))) & 0xff;
    if (Nibble & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    Result |= Byte << (8 * I);
  }
  return Result;
}

uint64_t reverseBits(uint64_t A, unsigned Bits) {
  uint64_t R = 0;
  for (unsigned I = 0; I < Bits; ++I)
    R |= ((A >> I) & 1) << (Bits - 1 - I);
  return R;
}

/// The lane that lane \p L reads in a shfl with lane or delta \p B and clamp
/// word \p C, and whether it is inside the segment (PTX ISA, shfl.sync).
std::pair<unsigned, bool> shuffleSource(ShuffleKind Kind, unsigned L,
                                        uint64_t B, uint64_t C) {
  unsigned Delta = B & 31, Clamp = C & 31, Segment = (C >> 8) & 31;
  unsigned Bound = (L & Segment) | (Clamp & ~Segment & 31);
  unsigned From = L;
  bool Inside = false;
  switch (Kind) {
  case ShuffleKind::Up:
    Inside = L >= Delta && L - Delta >= Bound;
    From = L - Delta;
    break;
  case ShuffleKind::Down:
    From = L + Delta;
    Inside = From <= Bound;
    break;
  case ShuffleKind::Bfly:
    From = L ^ Delta;
    Inside = From <= Bound;
    break;
  case ShuffleKind::Idx:
    From = (L & Segment) | (Delta & ~Segment & 31);
    Inside = From <= Bound;
    break;
  case ShuffleKind::None:
    break;
  }
  return {Inside ? From : L, Inside};
}

void shuffle(const SliceOp &Op, unsigned ResultIndex, Operands O,
             LaneValue &Out) {
  if (ResultIndex == 0 && O[0]->Uniform) {
    Out.Uniform = true;
    Out.V[0] = O[0]->V[0];
    return;
  }
  Out.Uniform = false;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    uint64_t C = O.size() > 2 ? O[2]->lane(L) : 31;
    auto [From, Inside] = shuffleSource(Op.Shuffle, L, O[1]->lane(L), C);
    Out.V[L] = ResultIndex == 0 ? O[0]->lane(From) : Inside;
  }
}

LaneMask lanesWhere(const LaneValue &Predicate, LaneMask Active) {
  if (Predicate.Uniform)
    return Predicate.V[0] & 1 ? Active : 0;
  LaneMask M = 0;
  for (unsigned L = 0; L < WarpLanes; ++L)
    M |= LaneMask(Predicate.V[L] & 1) << L;
  return M & Active;
}

/// Powers of two in \p V; 63 for zero.
unsigned alignLog2(uint64_t V) {
  return V == 0 ? 63 : unsigned(std::countr_zero(V));
}

unsigned capAlign(unsigned A) { return std::min(A, 63u); }

/// Bits that some lane of \p A has set.
uint64_t bitsSet(const LaneValue &A) {
  if (A.Uniform)
    return A.V[0];
  uint64_t All = 0;
  for (uint64_t V : A.V)
    All |= V;
  return All;
}

/// The alignment of the unknown addend of a sum.
unsigned sumAlign(const LaneValue &A, const LaneValue &B) {
  unsigned Align = 63;
  if (A.Base)
    Align = std::min<unsigned>(Align, A.BaseAlignLog2);
  if (B.Base)
    Align = std::min<unsigned>(Align, B.BaseAlignLog2);
  return Align;
}

/// What a value rests on, apart from the value.
struct Rests {
  TaintMask Base = 0, Shape = 0;
  unsigned Align = 63;
};

Rests sum(const LaneValue &A, const LaneValue &B) {
  return {A.Base | B.Base, A.Shape | B.Shape, sumAlign(A, B)};
}

/// Product of \p A and \p B: an unknown addend survives the multiplication
/// with a known uniform factor.
Rests product(const LaneValue &A, const LaneValue &B) {
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

Rests combine(const Rests &A, const Rests &B) {
  unsigned Align = 63;
  if (A.Base)
    Align = std::min(Align, A.Align);
  if (B.Base)
    Align = std::min(Align, B.Align);
  return {A.Base | B.Base, A.Shape | B.Shape, Align};
}

Rests same(const LaneValue &A) { return {A.Base, A.Shape, A.BaseAlignLog2}; }

/// What the result rests on when its form is not followed.
Rests mixed(Operands O) {
  TaintMask All = 0;
  bool Uniform = true;
  for (const LaneValue *V : O) {
    All |= V->taint();
    Uniform &= V->isKnownUniform();
  }
  return Uniform ? Rests{All, 0, 0} : Rests{0, All, 63};
}

/// A bound on a loaded value cuts off what seldom comes: what is drawn above it
/// is drawn again below, and does not all end up at the bound.
void spreadBelowBound(const SliceOp &Op, Operands O, LaneValue &Out) {
  const bool Signed = Op.What == Semantics::MinS;
  for (unsigned I = 0; I < 2; ++I) {
    const LaneValue &Drawn = *O[I], &Bound = *O[1 - I];
    if (!(Drawn.taint() & DataTaint) || Bound.taint() & DataTaint)
      continue;
    for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L) {
      const uint64_t Limit = Bound.lane(L) & lowBits(Op.Bits);
      const uint64_t Value = Drawn.lane(L) & lowBits(Op.Bits);
      const bool IsNegative = Signed && (signExtend(Limit, Op.Bits) < 0 ||
                                         signExtend(Value, Op.Bits) < 0);
      if (!IsNegative && Value > Limit && Limit != ~uint64_t(0))
        Out.V[L] = Value % (Limit + 1);
    }
  }
}

bool disjointAddends(const LaneValue &A, const LaneValue &B) {
  auto FitsBelow = [](const LaneValue &Tainted, const LaneValue &Plain) {
    return !Plain.taint() && Tainted.BaseAlignLog2 < 64 &&
           bitsSet(Plain) <= lowBits(Tainted.BaseAlignLog2) &&
           (bitsSet(Tainted) & bitsSet(Plain)) == 0;
  };
  return FitsBelow(A, B) || FitsBelow(B, A);
}

Rests rests(const SliceOp &Op, unsigned ResultIndex, Operands O) {
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

/// Floating-point rows: nothing is known of how their results move when an
/// operand does.
void evaluateFloats(const SliceOp &Op, Operands O, LaneValue &Out) {
  Out.Uniform = std::all_of(O.begin(), O.end(),
                            [](const LaneValue *V) { return V->Uniform; });
  bool Exactly = true;
  for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L) {
    uint64_t A = O[0]->lane(L), B = O.size() > 1 ? O[1]->lane(L) : 0;
    Out.V[L] = evaluateFloat(Op, A, B, O.size() > 2 ? O[2]->lane(L) : 0);
    Exactly &= isExactlyEvaluated(Op, A, B);
  }
  Rests R = mixed(O);
  if (!Exactly)
    (Out.Uniform && !R.Shape ? R.Base : R.Shape) |= ApproximateTaint;
  Out.Base = R.Base;
  Out.Shape = R.Shape;
  Out.BaseAlignLog2 = 0;
}

} // namespace

void gpuocc::evaluateLanes(const SliceOp &Op, unsigned ResultIndex, Operands O,
                           LaneMask Active, LaneValue &Out) {
  if (isFloatingPoint(Op.What)) {
    evaluateFloats(Op, O, Out);
    return;
  }
  const unsigned Bits = Op.Bits;
  const uint64_t M = lowBits(Bits);
  switch (Op.What) {
  case Semantics::Copy:
  case Semantics::Trunc:
    map1(Out, O, [=](uint64_t A) { return A & M; });
    break;
  case Semantics::SExt: {
    unsigned From = Op.FromBits;
    map1(Out, O, [=](uint64_t A) { return uint64_t(signExtend(A, From)) & M; });
    break;
  }
  case Semantics::ZExt: {
    uint64_t From = lowBits(Op.FromBits);
    map1(Out, O, [=](uint64_t A) { return A & From & M; });
    break;
  }
  case Semantics::Add:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A + B) & M; });
    break;
  case Semantics::Sub:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A - B) & M; });
    break;
  case Semantics::Mul:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A * B) & M; });
    break;
  case Semantics::MulWideS:
    map2(Out, O, [=](uint64_t A, uint64_t B) {
      return uint64_t(signExtend(A, Bits / 2)) *
                 uint64_t(signExtend(B, Bits / 2)) &
             M;
    });
    break;
  case Semantics::MulWideU: {
    uint64_t Half = lowBits(Bits / 2);
    map2(Out, O,
         [=](uint64_t A, uint64_t B) { return (A & Half) * (B & Half) & M; });
    break;
  }
  case Semantics::MulHiS:
  case Semantics::MulHiU: {
    bool Signed = Op.What == Semantics::MulHiS;
    map2(Out, O,
         [=](uint64_t A, uint64_t B) { return mulHigh(A, B, Bits, Signed); });
    break;
  }
  case Semantics::Mad:
    map3(Out, O,
         [=](uint64_t A, uint64_t B, uint64_t C) { return (A * B + C) & M; });
    break;
  case Semantics::MadWideS:
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return (uint64_t(signExtend(A, Bits / 2)) *
                  uint64_t(signExtend(B, Bits / 2)) +
              C) &
             M;
    });
    break;
  case Semantics::MadWideU: {
    uint64_t Half = lowBits(Bits / 2);
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return ((A & Half) * (B & Half) + C) & M;
    });
    break;
  }
  case Semantics::DivS:
  case Semantics::DivU:
  case Semantics::RemS:
  case Semantics::RemU: {
    bool Signed = Op.What == Semantics::DivS || Op.What == Semantics::RemS;
    bool Remainder = Op.What == Semantics::RemS || Op.What == Semantics::RemU;
    map2(Out, O, [=](uint64_t A, uint64_t B) {
      return divide(A, B, Bits, Signed, Remainder);
    });
    break;
  }
  case Semantics::Shl:
  case Semantics::ShrU:
  case Semantics::ShrS: {
    Semantics What = Op.What;
    map2(Out, O,
         [=](uint64_t A, uint64_t B) { return shift(What, A, B, Bits); });
    break;
  }
  case Semantics::FunnelL:
  case Semantics::FunnelR: {
    bool Left = Op.What == Semantics::FunnelL;
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return funnel(Left, A, B, C);
    });
    break;
  }
  case Semantics::And:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return A & B & M; });
    break;
  case Semantics::Or:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A | B) & M; });
    break;
  case Semantics::Xor:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A ^ B) & M; });
    break;
  case Semantics::Not:
    map1(Out, O, [=](uint64_t A) { return ~A & M; });
    break;
  case Semantics::Neg:
    map1(Out, O, [=](uint64_t A) { return (0 - A) & M; });
    break;
  case Semantics::Abs:
    map1(Out, O, [=](uint64_t A) {
      int64_t S = signExtend(A, Bits);
      return (S < 0 ? 0 - uint64_t(S) : uint64_t(S)) & M;
    });
    break;
  case Semantics::MinS:
  case Semantics::MinU:
  case Semantics::MaxS:
  case Semantics::MaxU: {
    bool Min = Op.What == Semantics::MinS || Op.What == Semantics::MinU;
    const uint64_t Flip =
        Op.What == Semantics::MinS || Op.What == Semantics::MaxS ? signBit(Bits)
                                                                 : 0;
    map2(Out, O, [=](uint64_t A, uint64_t B) {
      bool IsLess = ((A & M) ^ Flip) < ((B & M) ^ Flip);
      return (IsLess == Min ? A : B) & M;
    });
    if (Min)
      spreadBelowBound(Op, O, Out);
    break;
  }
  case Semantics::Select:
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t P) {
      return (P & 1 ? A : B) & M;
    });
    break;
  case Semantics::Compare: {
    compareLanes(Op.Compare, Bits, O, Out);
    break;
  }
  case Semantics::BfeU:
  case Semantics::BfeS: {
    bool Signed = Op.What == Semantics::BfeS;
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return extractField(A, B, C, Bits, Signed);
    });
    break;
  }
  case Semantics::Bfi: {
    Out.Uniform = std::all_of(O.begin(), O.end(),
                              [](const LaneValue *V) { return V->Uniform; });
    for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L)
      Out.V[L] = insertField(O[0]->lane(L), O[1]->lane(L), O[2]->lane(L),
                             O[3]->lane(L), Bits);
    break;
  }
  case Semantics::Popc:
    map1(Out, O, [=](uint64_t A) { return uint64_t(std::popcount(A)); });
    break;
  case Semantics::Clz:
    map1(Out, O, [=](uint64_t A) {
      return uint64_t(std::countl_zero(A & M)) - (64 - Bits);
    });
    break;
  case Semantics::Brev:
    map1(Out, O, [=](uint64_t A) { return reverseBits(A, Bits); });
    break;
  case Semantics::Prmt:
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return bytePermute(A, B, C);
    });
    break;
  case Semantics::Pack: {
    unsigned Part = O.empty() ? Bits : Bits / unsigned(O.size());
    Out.Uniform = std::all_of(O.begin(), O.end(),
                              [](const LaneValue *V) { return V->Uniform; });
    for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L) {
      uint64_t Word = 0;
      for (unsigned I = 0; I < O.size() && I * Part < 64; ++I)
        Word |= (O[I]->lane(L) & lowBits(Part)) << (I * Part);
      Out.V[L] = Word & M;
    }
    break;
  }
  case Semantics::Unpack: {
    unsigned Shift = std::min(ResultIndex * Bits, 63u);
    map1(Out, O, [=](uint64_t A) { return (A >> Shift) & M; });
    break;
  }
  case Semantics::Shuffle:
    shuffle(Op, ResultIndex, O, Out);
    break;
  case Semantics::Ballot:
    Out.Uniform = true;
    Out.V[0] = lanesWhere(*O[0], Active);
    break;
  case Semantics::VoteAny:
    Out.Uniform = true;
    Out.V[0] = lanesWhere(*O[0], Active) != 0;
    break;
  case Semantics::VoteAll:
    Out.Uniform = true;
    Out.V[0] = lanesWhere(*O[0], Active) == Active;
    break;
  case Semantics::MatchAny: {
    const LaneValue &A = *O[0];
    Out.Uniform = A.Uniform;
    Out.V[0] = Active;
    for (unsigned L = 0; L < WarpLanes && !A.Uniform; ++L) {
      Out.V[L] = 0;
      for (unsigned Other = 0; Other < WarpLanes; ++Other)
        if ((Active >> Other) & 1 && A.V[Other] == A.V[L])
          Out.V[L] |= uint64_t(1) << Other;
    }
    break;
  }
  case Semantics::SymbolAddress: {
    uint64_t Offset = uint64_t(Op.Imm);
    map1(Out, O, [=](uint64_t A) { return (A + Offset) & M; });
    break;
  }
  default:
    Out.Uniform = true;
    Out.V[0] = 0;
    break;
  }
  Rests R = rests(Op, ResultIndex, O);
  Out.Base = R.Base;
  Out.Shape = R.Shape;
  Out.BaseAlignLog2 = uint8_t(R.Base ? R.Align : 0);
}
