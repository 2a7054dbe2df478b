//===- PtxFloats.cpp - What PTX floating-point arithmetic computes --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxWriter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace llvm;

/// The step that the first word names; Opaque when there is none.
static Semantics stepOf(StringRef Word) {
  return StringSwitch<Semantics>(Word)
      .Case("add", Semantics::FAdd)
      .Case("sub", Semantics::FSub)
      .Case("mul", Semantics::FMul)
      .Cases({"fma", "mad"}, Semantics::FFma)
      .Case("div", Semantics::FDiv)
      .Case("rcp", Semantics::FRcp)
      .Case("sqrt", Semantics::FSqrt)
      .Case("rsqrt", Semantics::FRsqrt)
      .Case("ex2", Semantics::FEx2)
      .Case("lg2", Semantics::FLg2)
      .Case("sin", Semantics::FSin)
      .Case("cos", Semantics::FCos)
      .Case("min", Semantics::FMin)
      .Case("max", Semantics::FMax)
      .Case("neg", Semantics::FNeg)
      .Case("abs", Semantics::FAbs)
      .Default(Semantics::Opaque);
}

static unsigned arityOf(Semantics What) {
  switch (What) {
  case Semantics::FFma:
    return 3;
  case Semantics::FAdd:
  case Semantics::FSub:
  case Semantics::FMul:
  case Semantics::FDiv:
  case Semantics::FMin:
  case Semantics::FMax:
    return 2;
  default:
    return 1;
  }
}

/// Rounded otherwise than to the nearest.
static bool isDirected(const PtxWriter &W) {
  return W.has("rz") || W.has("rm") || W.has("rp");
}

/// The result for operands \p A of \p Bits bits: before it is saturated.
static PtxRef computed(PtxWriter &W, Semantics What, unsigned Bits,
                       ArrayRef<PtxRef> A) {
  PtxRef R = W.op(What, Bits, A);
  if (W.has("approx") || W.has("full"))
    W.markApproximate();
  if (W.has("xorsign")) {
    const PtxRef Sign = PtxWriter::number(int64_t(uint64_t(1) << (Bits - 1)));
    R = W.op(What, Bits,
             {W.op(Semantics::FAbs, Bits, {A[0]}),
              W.op(Semantics::FAbs, Bits, {A[1]})});
    R = W.bitOr(Bits, R, W.bitAnd(Bits, W.bitXor(Bits, A[0], A[1]), Sign));
  }
  // ".NaN": no number if one of both is none.
  if (W.has("NaN")) {
    auto IsNumber = [&](PtxRef V) {
      return W.compareFloats(ComparePredicate::EQ, false, Bits, V, V);
    };
    R = W.select(Bits, IsNumber(A[0]), W.select(Bits, IsNumber(A[1]), R, A[1]),
                 A[0]);
  }
  return R;
}

/// The half \p A with its sign turned around or without it.
static PtxRef signOfHalf(PtxWriter &W, const PtxWordType &T, PtxRef A) {
  constexpr int64_t Sign = 0x8000, NoNumber = 0x7fff;
  const int64_t Infinity = T.isBrain() ? 0x7f80 : 0x7c00;
  const PtxRef Abs = W.bitAnd(16, A, PtxWriter::number(Sign - 1));
  const PtxRef IsNumber =
      W.compare(ComparePredicate::LEU, 16, Abs, PtxWriter::number(Infinity));
  return W.select(16, IsNumber,
                  W.Words[0] == "neg" ? W.bitXor(16, A, PtxWriter::number(Sign))
                                      : Abs,
                  PtxWriter::number(NoNumber));
}

/// One number: of \p T, each operand \p A.
static PtxRef oneNumber(PtxWriter &W, Semantics What, const PtxWordType &T,
                        SmallVector<PtxRef, 3> A) {
  const bool IsSmall = T.Bits == 16;
  if (IsSmall && (What == Semantics::FNeg || What == Semantics::FAbs))
    return signOfHalf(W, T, A[0]);
  // The sum of a product and a half is exact in a double, or as good as.
  const unsigned Bits = IsSmall && What == Semantics::FFma ? 64
                        : IsSmall                          ? 32
                                                           : T.Bits;
  for (PtxRef &O : A) {
    O = toFloat(W, T, O);
    if (IsSmall && Bits == 64)
      O = W.convert(Semantics::FConvert, 64, 32, O);
    if (W.has("ftz") && T.Bits == 32)
      O = flushed(W, O);
  }
  PtxRef R = computed(W, What, Bits, A);
  if (W.has("sat")) {
    R = W.op(Semantics::FMax, Bits, {R, PtxWriter::number(0)});
    R = W.op(
        Semantics::FMin, Bits,
        {R, PtxWriter::number(Bits == 32 ? 0x3f800000 : 0x3ff0000000000000)});
  }
  if (W.has("relu"))
    R = notNegative(W, Bits, R);
  if (W.has("ftz") && T.Bits == 32)
    R = flushed(W, R);
  return IsSmall ? floatToSmall(W, T.isBrain() ? "bf16" : "f16", Bits, R) : R;
}

bool gpuocc::writePtxFloat(PtxWriter &W) {
  const Semantics What = stepOf(W.Words[0]);
  const PtxWordType T = W.type();
  if (What == Semantics::Opaque || W.size() < arityOf(What) || isDirected(W))
    return false;
  SmallVector<PtxRef, 3> A;
  for (unsigned I = 0; I != arityOf(What); ++I)
    A.push_back(W.in(I));
  if (T.isWideFloat())
    return T.Parts == 1 && W.done(oneNumber(W, What, T, A));
  const bool IsSign = What == Semantics::FNeg || What == Semantics::FAbs;
  if ((!T.isHalf() && !T.isBrain()) ||
      (What >= Semantics::FDiv && !IsSign && What != Semantics::FMin &&
       What != Semantics::FMax))
    return false;
  // A double holds no product and bfloat16 sum of all exponents.
  if (T.isBrain() && What == Semantics::FFma)
    return false;
  if (T.Parts == 1)
    return W.done(oneNumber(W, What, T, A));
  PtxRef Result = PtxWriter::number(0);
  for (unsigned At : {0u, 16u}) {
    SmallVector<PtxRef, 3> Half;
    for (const PtxRef &O : A)
      Half.push_back(W.field(false, 32, O, At, 16));
    Result = W.insert(oneNumber(W, What, T, Half), Result, At, 16);
  }
  return W.done(Result);
}

ArrayRef<PtxLiftRow> gpuocc::ptxFloatRows() {
  static constexpr PtxLiftRow Rows[] = {
      {"fma", writePtxFloat},   {"rcp", writePtxFloat}, {"sqrt", writePtxFloat},
      {"rsqrt", writePtxFloat}, {"ex2", writePtxFloat}, {"lg2", writePtxFloat},
      {"sin", writePtxFloat},   {"cos", writePtxFloat}};
  return Rows;
}
