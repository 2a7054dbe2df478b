//===- PtxIntegers.cpp - What PTX integer arithmetic computes -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxWriter.h"

using namespace gpuocc;
using namespace llvm;

/// Sums and differences with a carry: \p Carry is 0 or 1, \p Out what is
/// carried out of the highest bit. Of a difference the carry says that nothing
/// is borrowed.
static PtxRef addCarry(PtxWriter &W, unsigned Bits, PtxRef A, PtxRef B,
                       PtxRef Carry, PtxRef &Out) {
  const PtxRef First = W.add(Bits, A, B);
  const PtxRef Sum = W.add(Bits, First, Carry);
  // At most one of both sums wraps.
  Out = W.bitOr(1, W.compare(ComparePredicate::LTU, Bits, First, A),
                W.compare(ComparePredicate::LTU, Bits, Sum, First));
  return Sum;
}

static PtxRef addNoCarry(PtxWriter &W, unsigned Bits, PtxRef A, PtxRef B,
                         PtxRef &Out) {
  const PtxRef Sum = W.add(Bits, A, B);
  Out = W.compare(ComparePredicate::LTU, Bits, Sum, A);
  return Sum;
}

/// The two halves of a register, each put through \p Half with its bits
/// extended to 32.
template <typename F>
static PtxRef byHalves(PtxWriter &W, bool Signed, F Half) {
  PtxRef Result = PtxWriter::number(0);
  for (unsigned At : {0u, 16u})
    Result = W.insert(Half(W.field(Signed, 32, W.in(0), At, 16),
                           W.field(Signed, 32, W.in(1), At, 16)),
                      Result, At, 16);
  return Result;
}

/// add, sub, addc, subc.
static bool writeSum(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (T.isFloat())
    return writePtxFloat(W);
  const StringRef Word = W.Words[0];
  const bool IsSum = Word.starts_with("add");
  const Semantics What = IsSum ? Semantics::Add : Semantics::Sub;
  if (W.size() < 2 || T.Bits == 0)
    return false;
  if (T.Parts == 2)
    return W.done(byHalves(W, T.isSigned(), [&](PtxRef A, PtxRef B) {
      return W.op(What, 32, {A, B});
    }));
  const bool ReadsCarry = Word.ends_with("c");
  if (W.has("sat")) {
    const PtxRef A = W.extend(true, 64, 32, W.in(0)),
                 B = W.extend(true, 64, 32, W.in(1));
    return W.done(W.op(Semantics::Trunc, 32,
                       {W.clamp(true, 32, W.op(What, 64, {A, B}))}, 64));
  }
  if (!ReadsCarry && !W.has("cc"))
    return W.done(W.op(What, T.Bits, {W.in(0), W.in(1)}));
  const PtxRef B = IsSum ? W.in(1) : W.bitNot(T.Bits, W.in(1));
  const PtxRef In = ReadsCarry ? W.Carry : PtxWriter::number(IsSum ? 0 : 1);
  PtxRef Out;
  const PtxRef Sum = ReadsCarry || !IsSum
                         ? addCarry(W, T.Bits, W.in(0), B, In, Out)
                         : addNoCarry(W, T.Bits, W.in(0), B, Out);
  if (W.has("cc"))
    W.Carry = Out;
  return W.done(Sum);
}

/// The product of operands 0 and 1 that ".lo", ".hi" or ".wide" names.
static PtxRef product(PtxWriter &W, const PtxWordType &T) {
  const bool Signed = T.isSigned();
  const PtxRef A = W.in(0), B = W.in(1);
  if (W.has("wide"))
    return W.op(Signed ? Semantics::MulWideS : Semantics::MulWideU, 2 * T.Bits,
                {A, B});
  if (W.has("hi"))
    return W.op(Signed ? Semantics::MulHiS : Semantics::MulHiU, T.Bits, {A, B});
  return W.op(Semantics::Mul, T.Bits, {A, B});
}

static bool writeProduct(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (T.isFloat())
    return writePtxFloat(W);
  return W.size() >= 2 && T.Bits != 0 && W.done(product(W, T));
}

/// mad, madc; "mad.f32" is fma.
static bool writeMad(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (T.isFloat())
    return writePtxFloat(W);
  if (W.size() < 3 || T.Bits == 0)
    return false;
  const bool ReadsCarry = W.Words[0] == "madc";
  const unsigned Bits = W.has("wide") ? 2 * T.Bits : T.Bits;
  const bool Signed = T.isSigned();
  if (!ReadsCarry && !W.has("cc") && !W.has("sat") && !W.has("hi"))
    return W.done(W.op(!W.has("wide") ? Semantics::Mad
                       : Signed       ? Semantics::MadWideS
                                      : Semantics::MadWideU,
                       Bits, {W.in(0), W.in(1), W.in(2)}));
  const PtxRef P = product(W, T);
  if (W.has("sat"))
    return W.done(W.op(Semantics::Trunc, 32,
                       {W.clamp(true, 32,
                                W.add(64, W.extend(true, 64, 32, P),
                                      W.extend(true, 64, 32, W.in(2))))},
                       64));
  PtxRef Out;
  if (!ReadsCarry && !W.has("cc"))
    return W.done(W.add(Bits, P, W.in(2)));
  const PtxRef Sum = ReadsCarry ? addCarry(W, Bits, P, W.in(2), W.Carry, Out)
                                : addNoCarry(W, Bits, P, W.in(2), Out);
  if (W.has("cc"))
    W.Carry = Out;
  return W.done(Sum);
}

/// mul24, mad24: the upper (".hi") or lower 32 bits of a product of 48.
static bool writeMul24(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (W.size() < 2 || T.Bits != 32)
    return false;
  const bool Signed = T.isSigned();
  auto Part = [&](PtxRef A) { return W.field(Signed, 32, A, 0, 24); };
  PtxRef P;
  if (W.has("hi")) {
    P = W.op(Signed ? Semantics::MulWideS : Semantics::MulWideU, 64,
             {Part(W.in(0)), Part(W.in(1))});
    P = W.op(Semantics::Trunc, 32,
             {W.op(Semantics::ShrU, 64, {P, PtxWriter::number(16)})}, 64);
  } else {
    P = W.op(Semantics::Mul, 32, {Part(W.in(0)), Part(W.in(1))});
  }
  if (W.Words[0] == "mul24")
    return W.done(P);
  if (!W.has("sat"))
    return W.done(W.add(32, P, W.in(2)));
  const PtxRef Sum =
      W.add(64, W.extend(true, 64, 32, P), W.extend(true, 64, 32, W.in(2)));
  return W.done(W.op(Semantics::Trunc, 32, {W.clamp(true, 32, Sum)}, 64));
}

static bool writeAbsoluteDifference(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (W.size() < 3 || T.Bits == 0)
    return false;
  const bool Signed = T.isSigned();
  const PtxRef Distance =
      W.sub(T.Bits, W.most(Signed, T.Bits, W.in(0), W.in(1)),
            W.least(Signed, T.Bits, W.in(0), W.in(1)));
  return W.done(W.add(T.Bits, Distance, W.in(2)));
}

static bool writeQuotient(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (T.isFloat())
    return writePtxFloat(W);
  if (W.size() < 2 || T.Bits == 0)
    return false;
  const bool Signed = T.isSigned();
  const Semantics What = W.Words[0] == "div"
                             ? (Signed ? Semantics::DivS : Semantics::DivU)
                             : (Signed ? Semantics::RemS : Semantics::RemU);
  return W.done(W.op(What, T.Bits, {W.in(0), W.in(1)}));
}

static bool writeSign(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (T.isFloat())
    return writePtxFloat(W);
  return W.size() >= 1 && T.Bits != 0 &&
         W.done(W.op(W.Words[0] == "abs" ? Semantics::Abs : Semantics::Neg,
                     T.Bits, {W.in(0)}));
}

static bool writeExtreme(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (T.isFloat())
    return writePtxFloat(W);
  if (W.size() < 2 || T.Bits == 0)
    return false;
  const bool Signed = T.isSigned(), IsMin = W.Words[0] == "min";
  auto Extreme = [&](unsigned Bits, PtxRef A, PtxRef B) {
    const PtxRef R =
        IsMin ? W.least(Signed, Bits, A, B) : W.most(Signed, Bits, A, B);
    return W.has("relu") ? W.most(true, Bits, R, PtxWriter::number(0)) : R;
  };
  if (T.Parts == 2)
    return W.done(byHalves(
        W, Signed, [&](PtxRef A, PtxRef B) { return Extreme(32, A, B); }));
  return W.done(Extreme(T.Bits, W.in(0), W.in(1)));
}

/// dp4a: bytes times bytes; dp2a: halves times the lower or upper two bytes.
static bool writeDotProduct(PtxWriter &W) {
  if (W.size() < 3)
    return false;
  const bool SignedA = W.type(1).isSigned(), SignedB = W.type().isSigned();
  const bool OfHalves = W.Words[0] == "dp2a";
  const unsigned BitsA = OfHalves ? 16 : 8, FirstB = W.has("hi") ? 16 : 0;
  PtxRef Sum = W.in(2);
  for (unsigned I = 0; I != 32 / BitsA; ++I)
    Sum = W.op(Semantics::Mad, 32,
               {W.field(SignedA, 32, W.in(0), I * BitsA, BitsA),
                W.field(SignedB, 32, W.in(1), FirstB + I * 8, 8), Sum});
  return W.done(Sum);
}

ArrayRef<PtxLiftRow> gpuocc::ptxIntegerRows() {
  static constexpr PtxLiftRow Rows[] = {
      {"add", writeSum},         {"addc", writeSum},
      {"sub", writeSum},         {"subc", writeSum},
      {"mul", writeProduct},     {"mad", writeMad},
      {"madc", writeMad},        {"mul24", writeMul24},
      {"mad24", writeMul24},     {"sad", writeAbsoluteDifference},
      {"div", writeQuotient},    {"rem", writeQuotient},
      {"abs", writeSign},        {"neg", writeSign},
      {"min", writeExtreme},     {"max", writeExtreme},
      {"dp4a", writeDotProduct}, {"dp2a", writeDotProduct}};
  return Rows;
}
