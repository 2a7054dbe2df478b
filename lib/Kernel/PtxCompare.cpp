//===- PtxCompare.cpp - What PTX comparisons and choices compute ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxWriter.h"

using namespace gpuocc;
using namespace llvm;

namespace {
struct CompareRow {
  StringLiteral Word;
  ComparePredicate Signed, Unsigned;
  /// Of numbers, and whether it holds when one operand is none.
  ComparePredicate Float;
  bool ForNaN;
};
} // namespace

using P = ComparePredicate;
static constexpr CompareRow Compares[] = {
    {"eq", P::EQ, P::EQ, P::EQ, false},
    {"ne", P::NE, P::NE, P::NE, false},
    {"lt", P::LTS, P::LTU, P::LTS, false},
    {"le", P::LES, P::LEU, P::LES, false},
    {"gt", P::GTS, P::GTU, P::GTS, false},
    {"ge", P::GES, P::GEU, P::GES, false},
    {"lo", P::LTU, P::LTU, P::Other, false},
    {"ls", P::LEU, P::LEU, P::Other, false},
    {"hi", P::GTU, P::GTU, P::Other, false},
    {"hs", P::GEU, P::GEU, P::Other, false},
    {"equ", P::Other, P::Other, P::EQ, true},
    {"neu", P::Other, P::Other, P::NE, true},
    {"ltu", P::Other, P::Other, P::LTS, true},
    {"leu", P::Other, P::Other, P::LES, true},
    {"gtu", P::Other, P::Other, P::GTS, true},
    {"geu", P::Other, P::Other, P::GES, true}};

/// Are both of \p A and \p B numbers?
static PtxRef areNumbers(PtxWriter &W, unsigned Bits, PtxRef A, PtxRef B) {
  return W.bitAnd(1, W.compareFloats(P::EQ, false, Bits, A, A),
                  W.compareFloats(P::EQ, false, Bits, B, B));
}

/// The comparison of operands 0 and 1, which have type \p T; nothing when there
/// is none.
static std::optional<PtxRef> comparison(PtxWriter &W, const PtxWordType &T) {
  if (W.Words.size() < 3 || W.size() < 2 || T.Bits == 0 || T.Parts != 1)
    return std::nullopt;
  PtxRef A = W.in(0), B = W.in(1);
  unsigned Bits = T.Bits;
  if (T.isFloat()) {
    A = toFloat(W, T, A);
    B = toFloat(W, T, B);
    Bits = std::max(32u, Bits);
    if (W.has("ftz")) {
      A = flushed(W, A);
      B = flushed(W, B);
    }
    if (W.Words[1] == "num")
      return areNumbers(W, Bits, A, B);
    if (W.Words[1] == "nan")
      return W.bitNot(1, areNumbers(W, Bits, A, B));
  }
  for (const CompareRow &R : Compares) {
    if (R.Word != W.Words[1])
      continue;
    const P Predicate = T.isFloat()    ? R.Float
                        : T.isSigned() ? R.Signed
                                       : R.Unsigned;
    if (Predicate == P::Other)
      return std::nullopt;
    return T.isFloat() ? W.compareFloats(Predicate, R.ForNaN, Bits, A, B)
                       : W.compare(Predicate, Bits, A, B);
  }
  return std::nullopt;
}

/// \p Holds joined with the predicate in operand 2 by ".and", ".or", ".xor".
static PtxRef joined(PtxWriter &W, PtxRef Holds) {
  if (W.size() < 3)
    return Holds;
  return W.op(W.has("and")  ? Semantics::And
              : W.has("or") ? Semantics::Or
                            : Semantics::Xor,
              1, {Holds, W.in(2)});
}

/// "setp.lt.and.s32 p|q, a, b, c"
static bool writeSetPredicate(PtxWriter &W) {
  const std::optional<PtxRef> Holds = comparison(W, W.type());
  if (!Holds)
    return false;
  W.Results.push_back(joined(W, *Holds));
  if (W.NumResults == 2)
    W.Results.push_back(joined(W, W.bitNot(1, *Holds)));
  return true;
}

/// "set.lt.u32.f32 d, a, b": all bits, or 1.0.
static bool writeSet(PtxWriter &W) {
  const std::optional<PtxRef> Holds = comparison(W, W.type());
  if (!Holds)
    return false;
  constexpr int64_t One = 0x3f800000;
  const PtxWordType To = W.type(1);
  if (To.Bits != 32)
    return false;
  return W.done(W.select(32, joined(W, *Holds),
                         PtxWriter::number(To.isFloat() ? One : 0xffffffff),
                         PtxWriter::number(0)));
}

static bool writeSelect(PtxWriter &W) {
  const unsigned Bits = W.type().Bits;
  return W.size() >= 3 && Bits != 0 &&
         W.done(W.select(Bits, W.in(2), W.in(0), W.in(1)));
}

/// "slct.f32.s32 d, a, b, c": a where c is not negative.
static bool writeSelectBySign(PtxWriter &W) {
  const PtxWordType Of = W.type();
  const unsigned Bits = W.type(1).Bits;
  if (W.size() < 3 || Bits == 0)
    return false;
  PtxRef C = W.in(2);
  if (W.has("ftz"))
    C = flushed(W, C);
  const PtxRef If =
      Of.isFloat() ? W.compareFloats(P::GES, false, 32, C, PtxWriter::number(0))
                   : W.compare(P::GES, 32, C, PtxWriter::number(0));
  return W.done(W.select(Bits, If, W.in(0), W.in(1)));
}

/// testp: what a number is, by its bits.
static bool writeTest(PtxWriter &W) {
  const unsigned Bits = W.type().Bits;
  if (W.size() < 1 || (Bits != 32 && Bits != 64))
    return false;
  const unsigned Fraction = Bits == 32 ? 23 : 52;
  const int64_t Infinity = Bits == 32 ? 0x7f800000 : 0x7ff0000000000000;
  const PtxRef A =
      W.bitAnd(Bits, W.in(0),
               PtxWriter::number(Bits == 32 ? 0x7fffffff : 0x7fffffffffffffff));
  auto Is = [&](P How, int64_t Number) {
    return W.compare(How, Bits, A, PtxWriter::number(Number));
  };
  const int64_t Normal = int64_t(1) << Fraction;
  if (W.has("finite"))
    return W.done(Is(P::LTU, Infinity));
  if (W.has("infinite"))
    return W.done(Is(P::EQ, Infinity));
  if (W.has("number"))
    return W.done(Is(P::LEU, Infinity));
  if (W.has("notanumber"))
    return W.done(Is(P::GTU, Infinity));
  if (W.has("normal"))
    return W.done(W.bitAnd(1, Is(P::GEU, Normal), Is(P::LTU, Infinity)));
  // Zero counts as one too.
  return W.has("subnormal") && W.done(Is(P::LTU, Normal));
}

/// "copysign d, a, b" is b with the sign of a.
static bool writeCopySign(PtxWriter &W) {
  const unsigned Bits = W.type().Bits;
  if (W.size() < 2 || (Bits != 32 && Bits != 64))
    return false;
  const int64_t Sign = int64_t(uint64_t(1) << (Bits - 1));
  return W.done(W.bitOr(Bits, W.bitAnd(Bits, W.in(0), PtxWriter::number(Sign)),
                        W.bitAnd(Bits, W.in(1), PtxWriter::number(~Sign))));
}

ArrayRef<PtxLiftRow> gpuocc::ptxCompareRows() {
  static constexpr PtxLiftRow Rows[] = {
      {"setp", writeSetPredicate}, {"set", writeSet},
      {"selp", writeSelect},       {"slct", writeSelectBySign},
      {"testp", writeTest},        {"copysign", writeCopySign}};
  return Rows;
}
