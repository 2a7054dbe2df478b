//===- LaneOps.cpp - Evaluate one operation in 32 lanes -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/LaneOps.h"
#include "Analysis/FloatSemantics.h"
#include "Walk/FloatOps.h"
#include "Walk/Rests.h"
#include "Walk/SpreadLanes.h"
#include "Walk/WordOps.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <functional>

using namespace gpuocc;
using namespace llvm;

namespace {

using Operands = ArrayRef<const LaneValue *>;

bool areUniform(Operands O) {
  return all_of(O, [](const LaneValue *V) { return V->Uniform; });
}

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
  const SpreadLanes A(*O[0]), B(*O[1]);
  for (unsigned L = 0; L < WarpLanes; ++L)
    Out.V[L] = Compute(A[L], B[L]);
}

template <typename F> void map3(LaneValue &Out, Operands O, F Compute) {
  Out.Uniform = O[0]->Uniform && O[1]->Uniform && O[2]->Uniform;
  if (Out.Uniform) {
    Out.V[0] = Compute(O[0]->V[0], O[1]->V[0], O[2]->V[0]);
    return;
  }
  const SpreadLanes A(*O[0]), B(*O[1]), C(*O[2]);
  for (unsigned L = 0; L < WarpLanes; ++L)
    Out.V[L] = Compute(A[L], B[L], C[L]);
}

bool isSigned(ComparePredicate P) {
  return P == ComparePredicate::LTS || P == ComparePredicate::LES ||
         P == ComparePredicate::GTS || P == ComparePredicate::GES;
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

/// Floating-point rows: nothing is known of how their results move when an
/// operand does.
void computeFloats(const SliceOp &Op, Operands O, LaneValue &Out) {
  const bool IsUniform = areUniform(O);
  const bool Exactly = evaluateFloats(Op, O, IsUniform ? 1 : WarpLanes, Out.V);
  Out.Uniform = IsUniform;
  Rests R = mixed(O);
  if (!Exactly)
    (Out.Uniform && !R.Shape ? R.Base : R.Shape) |= ApproximateTaint;
  Out.Base = R.Base;
  Out.Shape = R.Shape;
  Out.BaseAlignLog2 = 0;
}

/// Operations that look at other lanes; false if \p Op is none.
bool computeAcrossLanes(const SliceOp &Op, unsigned ResultIndex, Operands O,
                        LaneMask Active, LaneValue &Out) {
  switch (Op.What) {
  case Semantics::Shuffle:
    shuffle(Op, ResultIndex, O, Out);
    return true;
  case Semantics::Ballot:
    Out.Uniform = true;
    Out.V[0] = lanesWhere(*O[0], Active);
    return true;
  case Semantics::VoteAny:
    Out.Uniform = true;
    Out.V[0] = lanesWhere(*O[0], Active) != 0;
    return true;
  case Semantics::VoteAll:
    Out.Uniform = true;
    Out.V[0] = lanesWhere(*O[0], Active) == Active;
    return true;
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
    return true;
  }
  default:
    return false;
  }
}

/// Copies, words of other widths and words of parts; false if \p Op is none.
bool computeMove(const SliceOp &Op, unsigned ResultIndex, Operands O,
                 LaneValue &Out) {
  const unsigned Bits = Op.Bits;
  const uint64_t M = lowBits(Op.Bits);
  switch (Op.What) {
  case Semantics::Copy:
  case Semantics::Trunc:
    map1(Out, O, [=](uint64_t A) { return A & M; });
    return true;
  case Semantics::SExt: {
    unsigned From = Op.FromBits;
    map1(Out, O, [=](uint64_t A) { return uint64_t(signExtend(A, From)) & M; });
    return true;
  }
  case Semantics::ZExt: {
    uint64_t From = lowBits(Op.FromBits);
    map1(Out, O, [=](uint64_t A) { return A & From & M; });
    return true;
  }
  case Semantics::Pack: {
    unsigned Part = O.empty() ? Bits : Bits / unsigned(O.size());
    Out.Uniform = areUniform(O);
    for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L) {
      uint64_t Word = 0;
      for (unsigned I = 0; I < O.size() && I * Part < 64; ++I)
        Word |= (O[I]->lane(L) & lowBits(Part)) << (I * Part);
      Out.V[L] = Word & M;
    }
    return true;
  }
  case Semantics::Unpack: {
    unsigned Shift = std::min(ResultIndex * Bits, 63u);
    map1(Out, O, [=](uint64_t A) { return (A >> Shift) & M; });
    return true;
  }
  case Semantics::High:
    map1(Out, O, [=](uint64_t A) { return (A >> Bits) & M; });
    return true;
  default:
    return false;
  }
}

/// Products and quotients; false if \p Op is none.
bool computeProduct(const SliceOp &Op, Operands O, LaneValue &Out) {
  const Semantics What = Op.What;
  const unsigned Bits = Op.Bits;
  const uint64_t M = lowBits(Op.Bits);
  switch (Op.What) {
  case Semantics::Mul:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A * B) & M; });
    return true;
  case Semantics::MulWideS:
    map2(Out, O, [=](uint64_t A, uint64_t B) {
      return uint64_t(signExtend(A, Bits / 2)) *
                 uint64_t(signExtend(B, Bits / 2)) &
             M;
    });
    return true;
  case Semantics::MulWideU: {
    uint64_t Half = lowBits(Bits / 2);
    map2(Out, O,
         [=](uint64_t A, uint64_t B) { return (A & Half) * (B & Half) & M; });
    return true;
  }
  case Semantics::MulHiS:
  case Semantics::MulHiU:
    map2(Out, O,
         [=](uint64_t A, uint64_t B) { return mulHigh(What, A, B, Bits); });
    return true;
  case Semantics::Mad:
    map3(Out, O,
         [=](uint64_t A, uint64_t B, uint64_t C) { return (A * B + C) & M; });
    return true;
  case Semantics::MadWideS:
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return (uint64_t(signExtend(A, Bits / 2)) *
                  uint64_t(signExtend(B, Bits / 2)) +
              C) &
             M;
    });
    return true;
  case Semantics::MadWideU: {
    uint64_t Half = lowBits(Bits / 2);
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return ((A & Half) * (B & Half) + C) & M;
    });
    return true;
  }
  case Semantics::DivS:
  case Semantics::DivU:
  case Semantics::RemS:
  case Semantics::RemU:
    map2(Out, O,
         [=](uint64_t A, uint64_t B) { return divide(What, A, B, Bits); });
    return true;
  default:
    return false;
  }
}

/// Other arithmetic, comparisons and choices; false if \p Op is none.
bool computeArithmetic(const SliceOp &Op, Operands O, LaneValue &Out) {
  const unsigned Bits = Op.Bits;
  const uint64_t M = lowBits(Op.Bits);
  switch (Op.What) {
  case Semantics::Add:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A + B) & M; });
    return true;
  case Semantics::SymbolAddress: {
    uint64_t Offset = uint64_t(Op.Imm);
    map1(Out, O, [=](uint64_t A) { return (A + Offset) & M; });
    return true;
  }
  case Semantics::Sub:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A - B) & M; });
    return true;
  case Semantics::Neg:
    map1(Out, O, [=](uint64_t A) { return (0 - A) & M; });
    return true;
  case Semantics::Abs:
    map1(Out, O, [=](uint64_t A) {
      int64_t S = signExtend(A, Bits);
      return (S < 0 ? 0 - uint64_t(S) : uint64_t(S)) & M;
    });
    return true;
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
    return true;
  }
  case Semantics::Select:
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t P) {
      return (P & 1 ? A : B) & M;
    });
    return true;
  case Semantics::Compare:
    compareLanes(Op.Compare, Bits, O, Out);
    return true;
  default:
    return false;
  }
}

/// Logic, shifts and fields; false if \p Op is none.
bool computeBits(const SliceOp &Op, Operands O, LaneValue &Out) {
  const Semantics What = Op.What;
  const unsigned Bits = Op.Bits;
  const uint64_t M = lowBits(Op.Bits);
  switch (Op.What) {
  case Semantics::Shl:
  case Semantics::ShrU:
  case Semantics::ShrS:
    map2(Out, O,
         [=](uint64_t A, uint64_t B) { return shift(What, A, B, Bits); });
    return true;
  case Semantics::FunnelL:
  case Semantics::FunnelR:
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return funnel(What, A, B, C);
    });
    return true;
  case Semantics::And:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return A & B & M; });
    return true;
  case Semantics::Or:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A | B) & M; });
    return true;
  case Semantics::Xor:
    map2(Out, O, [=](uint64_t A, uint64_t B) { return (A ^ B) & M; });
    return true;
  case Semantics::Not:
    map1(Out, O, [=](uint64_t A) { return ~A & M; });
    return true;
  case Semantics::BfeU:
  case Semantics::BfeS:
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return extractField(What, A, B, C, Bits);
    });
    return true;
  case Semantics::Bfi: {
    Out.Uniform = areUniform(O);
    for (unsigned L = 0; L < (Out.Uniform ? 1 : WarpLanes); ++L)
      Out.V[L] = insertField(O[0]->lane(L), O[1]->lane(L), O[2]->lane(L),
                             O[3]->lane(L), Bits);
    return true;
  }
  case Semantics::Popc:
    map1(Out, O, [=](uint64_t A) { return uint64_t(std::popcount(A)); });
    return true;
  case Semantics::Clz:
    map1(Out, O, [=](uint64_t A) {
      return uint64_t(std::countl_zero(A & M)) - (64 - Bits);
    });
    return true;
  case Semantics::Brev:
    map1(Out, O, [=](uint64_t A) { return reverseBits(A, Bits); });
    return true;
  case Semantics::Prmt:
    map3(Out, O, [=](uint64_t A, uint64_t B, uint64_t C) {
      return bytePermute(A, B, C);
    });
    return true;
  default:
    return false;
  }
}

/// Operations that each lane computes for itself.
void computeInLanes(const SliceOp &Op, unsigned ResultIndex, Operands O,
                    LaneValue &Out) {
  if (computeMove(Op, ResultIndex, O, Out) || computeArithmetic(Op, O, Out) ||
      computeProduct(Op, O, Out) || computeBits(Op, O, Out))
    return;
  Out.Uniform = true;
  Out.V[0] = 0;
}

} // namespace

void gpuocc::evaluateLanes(const SliceOp &Op, unsigned ResultIndex, Operands O,
                           LaneMask Active, LaneValue &Out) {
  if (isFloatingPoint(Op.What)) {
    computeFloats(Op, O, Out);
    return;
  }
  if (!computeAcrossLanes(Op, ResultIndex, O, Active, Out))
    computeInLanes(Op, ResultIndex, O, Out);
  const Rests R = restsOf(Op, ResultIndex, O);
  Out.Base = R.Base;
  Out.Shape = R.Shape;
  Out.BaseAlignLog2 = uint8_t(R.Base ? R.Align : 0);
}
