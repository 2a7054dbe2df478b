//===- PtxConvert.cpp - What PTX conversions compute ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxWriter.h"

using namespace gpuocc;
using namespace llvm;

namespace {
/// The layout of small floating-point numbers.
struct SmallFloat {
  StringLiteral Name;
  unsigned Fraction, Bias;
  /// The bits of infinity, or of the number above the largest; of the largest
  /// finite number, and of what is no number.
  unsigned Infinity, Largest, NaN;
};
} // namespace

static constexpr SmallFloat SmallFloats[] = {
    {"f16", 10, 15, 0x7c00, 0x7bff, 0x7fff},
    {"bf16", 7, 127, 0x7f80, 0x7f7f, 0x7fff},
    {"e4m3", 3, 7, 0x7f, 0x7e, 0x7f},
    {"e5m2", 2, 15, 0x7c, 0x7b, 0x7f}};

static const SmallFloat *smallFloatOf(StringRef Name) {
  for (const SmallFloat &F : SmallFloats)
    if (Name == F.Name || (Name.starts_with(F.Name) && Name.ends_with("x2")))
      return &F;
  return nullptr;
}

/// The bits of a float or double that is a power of two.
static PtxRef powerOfTwo(unsigned Bits, int Exponent) {
  return PtxWriter::number(Bits == 32 ? int64_t(Exponent + 127) << 23
                                      : int64_t(Exponent + 1023) << 52);
}

/// \p A of \p Bits (32 or 64) as a number of \p To, rounded to the nearest or
/// toward zero.
static PtxRef roundTo(PtxWriter &W, const SmallFloat &To, unsigned Bits,
                      PtxRef A) {
  const bool TowardZero = W.has("rz");
  const unsigned Fraction = Bits == 32 ? 23 : 52,
                 Bias = Bits == 32 ? 127 : 1023, Cut = Fraction - To.Fraction;
  auto Number = [](uint64_t V) { return PtxWriter::number(int64_t(V)); };
  const uint64_t SignBit = uint64_t(1) << (Bits - 1);
  const PtxRef Abs = W.bitAnd(Bits, A, Number(SignBit - 1));
  // Fractions that are cut, with one more where it is rounded up; the exponent
  // is moved along.
  PtxRef Normal =
      W.sub(Bits, Abs, Number(uint64_t(Bias - To.Bias) << Fraction));
  if (!TowardZero) {
    const PtxRef Odd = W.field(false, Bits, Abs, Cut, 1);
    Normal = W.add(Bits, W.add(Bits, Normal, Odd),
                   Number((uint64_t(1) << (Cut - 1)) - 1));
  }
  Normal = W.shrU(Bits, Normal, Number(Cut));
  // Below the smallest normal number steps are equal.
  const int Smallest = 1 - int(To.Bias);
  PtxRef Result = Normal;
  if (Bias != To.Bias) {
    const PtxRef Scaled =
        W.op(Semantics::FMul, Bits,
             {Abs, powerOfTwo(Bits, int(To.Fraction) - Smallest)});
    const PtxRef Steps = W.convert(Semantics::FToU, 32, Bits, Scaled,
                                   TowardZero ? IntegerRounding::TowardZero
                                              : IntegerRounding::Nearest);
    const PtxRef IsSmall =
        W.compare(ComparePredicate::LTU, Bits, Abs, powerOfTwo(Bits, Smallest));
    Result = W.select(Bits, IsSmall, Steps, Normal);
  }
  const uint64_t Infinity = Bits == 32 ? 0x7f800000 : 0x7ff0000000000000;
  const bool Saturates = W.has("satfinite");
  Result = W.least(false, Bits, Result,
                   Number(TowardZero || Saturates ? To.Largest : To.Infinity));
  if (TowardZero && !Saturates)
    Result = W.select(
        Bits, W.compare(ComparePredicate::EQ, Bits, Abs, Number(Infinity)),
        Number(To.Infinity), Result);
  Result = W.op(Semantics::Trunc, 16, {Result}, Bits);
  const unsigned ToBits = To.Fraction > 4 ? 16 : 8;
  const PtxRef Sign =
      W.shl(16, W.field(false, Bits, A, Bits - 1, 1), Number(ToBits - 1));
  const PtxRef IsNumber =
      W.compare(ComparePredicate::LEU, Bits, Abs, Number(Infinity));
  return W.select(16, IsNumber, W.bitOr(16, Result, Sign), Number(To.NaN));
}

/// \p A, the bits of \p From, as those of a float.
static PtxRef widen(PtxWriter &W, const SmallFloat &From, PtxRef A) {
  const unsigned Bits = From.Fraction > 4 ? 16 : 8;
  const PtxRef Abs = W.field(false, 32, A, 0, Bits - 1);
  const PtxRef Moved = W.shl(32, Abs, PtxWriter::number(23 - From.Fraction));
  PtxRef Result = From.Bias == 127
                      ? Moved
                      : W.op(Semantics::FMul, 32,
                             {Moved, powerOfTwo(32, 127 - int(From.Bias))});
  if (From.Bias != 127) {
    const PtxRef IsSpecial = W.compare(ComparePredicate::GEU, 32, Abs,
                                       PtxWriter::number(From.Infinity));
    // e4m3 has no infinity.
    const PtxRef Special =
        W.bitOr(32, Moved,
                PtxWriter::number(From.Largest + 1 == From.NaN ? 0x7fffffff
                                                               : 0x7f800000));
    Result = W.select(32, IsSpecial, Special, Result);
  }
  const PtxRef Sign =
      W.shl(32, W.field(false, 32, A, Bits - 1, 1), PtxWriter::number(31));
  return W.bitOr(32, Result, Sign);
}

PtxRef gpuocc::halfToFloat(PtxWriter &W, PtxRef A) {
  return widen(W, *smallFloatOf("f16"), A);
}

PtxRef gpuocc::brainToFloat(PtxWriter &W, PtxRef A) {
  return W.shl(32, A, PtxWriter::number(16));
}

PtxRef gpuocc::floatToSmall(PtxWriter &W, StringRef Name, unsigned Bits,
                            PtxRef A) {
  return roundTo(W, *smallFloatOf(Name), Bits, A);
}

PtxRef gpuocc::toFloat(PtxWriter &W, const PtxWordType &T, PtxRef A) {
  if (T.Bits > 16)
    return A;
  return T.isBrain() ? brainToFloat(W, A) : halfToFloat(W, A);
}

PtxRef gpuocc::notNegative(PtxWriter &W, unsigned Bits, PtxRef A) {
  const PtxRef Zero = PtxWriter::number(0);
  const PtxRef IsNegative =
      W.compareFloats(ComparePredicate::LES, false, Bits, A, Zero);
  return W.select(Bits, IsNegative, Zero, A);
}

PtxRef gpuocc::flushed(PtxWriter &W, PtxRef A) {
  const PtxRef Exponent = W.bitAnd(32, A, PtxWriter::number(0x7f800000));
  const PtxRef IsTiny =
      W.compare(ComparePredicate::EQ, 32, Exponent, PtxWriter::number(0));
  return W.select(32, IsTiny, W.bitAnd(32, A, PtxWriter::number(0x80000000)),
                  A);
}

/// ".rni" and the like.
static IntegerRounding wholeRounding(const PtxWriter &W) {
  static constexpr std::pair<StringLiteral, IntegerRounding> Rows[] = {
      {"rni", IntegerRounding::Nearest},
      {"rzi", IntegerRounding::TowardZero},
      {"rmi", IntegerRounding::Down},
      {"rpi", IntegerRounding::Up}};
  for (const auto &[Word, Mode] : Rows)
    if (W.has(Word))
      return Mode;
  return IntegerRounding::None;
}

/// Integers, cut or extended; with ".sat" moved into the range of the result.
static PtxRef integerToInteger(PtxWriter &W, const PtxWordType &To,
                               const PtxWordType &From, PtxRef A) {
  const bool Signed = From.isSigned();
  if (W.has("sat")) {
    A = W.extend(Signed, 64, From.Bits, A);
    if (Signed && !To.isSigned() && To.Bits == 64)
      A = W.most(true, 64, A, PtxWriter::number(0));
    else if (!Signed && From.Bits == 64)
      A = W.least(
          false, 64, A,
          PtxWriter::number(
              To.Bits == 64 && !To.isSigned()
                  ? -1
                  : int64_t((uint64_t(1) << (To.Bits - To.isSigned())) - 1)));
    else if (To.Bits != 64)
      A = W.clamp(To.isSigned(), To.Bits, A);
    A = To.Bits == 64 ? W.op(Semantics::Copy, 64, {A})
                      : W.op(Semantics::Trunc, To.Bits, {A}, 64);
  } else if (To.Bits > From.Bits) {
    A = W.extend(Signed, To.Bits, From.Bits, A);
  } else {
    A = W.op(Semantics::Trunc, To.Bits, {A}, From.Bits);
  }
  // Registers are as wide as they are.
  return To.isSigned() && To.Bits < 32 ? W.extend(true, 32, To.Bits, A) : A;
}

static std::optional<PtxRef> floatToInteger(PtxWriter &W, const PtxWordType &To,
                                            const PtxWordType &From, PtxRef A) {
  const IntegerRounding Mode = wholeRounding(W);
  if (Mode == IntegerRounding::None)
    return std::nullopt;
  const unsigned Bits = std::max(32u, From.Bits);
  A = toFloat(W, From, A);
  if (W.has("ftz"))
    A = flushed(W, A);
  PtxRef R = W.convert(To.isSigned() ? Semantics::FToS : Semantics::FToU,
                       To.Bits, Bits, A, Mode);
  // What is no number becomes the lowest one where 64 bits take part.
  if (From.Bits == 64 || To.Bits == 64) {
    const PtxRef IsNumber =
        W.compareFloats(ComparePredicate::EQ, false, Bits, A, A);
    R = W.select(To.Bits, IsNumber, R,
                 PtxWriter::number(int64_t(uint64_t(1) << (To.Bits - 1))));
  }
  return To.isSigned() && To.Bits < 32 ? W.extend(true, 32, To.Bits, R) : R;
}

static std::optional<PtxRef> integerToFloat(PtxWriter &W, const PtxWordType &To,
                                            const PtxWordType &From, PtxRef A) {
  if (!W.has("rn"))
    return std::nullopt;
  const Semantics What =
      From.isSigned() ? Semantics::FFromS : Semantics::FFromU;
  if (To.isWideFloat())
    return W.convert(What, To.Bits, From.Bits, A);
  // 32 bits are exact in a double; larger numbers are rounded twice.
  if (From.Bits == 64)
    return std::nullopt;
  return floatToSmall(W, To.Text, 64, W.convert(What, 64, From.Bits, A));
}

/// Between 0 and 1, 0 for what is no number.
static PtxRef saturated(PtxWriter &W, unsigned Bits, PtxRef A) {
  A = W.op(Semantics::FMax, Bits, {A, PtxWriter::number(0)});
  return W.op(Semantics::FMin, Bits, {A, powerOfTwo(Bits, 0)});
}

static std::optional<PtxRef> floatToFloat(PtxWriter &W, const PtxWordType &To,
                                          const PtxWordType &From, PtxRef A) {
  const unsigned Bits = std::max(32u, From.Bits);
  const IntegerRounding Mode = wholeRounding(W);
  if (!W.has("rn") && !W.has("rz") && To.Bits < From.Bits)
    return std::nullopt;
  A = toFloat(W, From, A);
  if (W.has("ftz") && Bits == 32)
    A = flushed(W, A);
  if (Mode != IntegerRounding::None)
    A = W.convert(Semantics::FConvert, Bits, Bits, A, Mode);
  if (W.has("sat"))
    A = saturated(W, Bits, A);
  if (W.has("relu"))
    A = notNegative(W, Bits, A);
  if (To.Bits == 16 && From.Bits == 64 && W.has("rz"))
    return std::nullopt;
  if (To.Bits == 16)
    return floatToSmall(W, To.Text, Bits, A);
  if (To.Bits == Bits)
    return A;
  if (W.has("rz"))
    return std::nullopt;
  A = W.convert(Semantics::FConvert, To.Bits, Bits, A);
  return W.has("ftz") && To.Bits == 32 ? flushed(W, A) : A;
}

/// "cvt.rna.tf32.f32": 10 bits of fraction remain.
static bool writeTensorFloat(PtxWriter &W) {
  constexpr unsigned Cut = 13;
  const PtxRef A = W.in(0);
  PtxRef Up = PtxWriter::number(0);
  if (W.has("rna"))
    Up = PtxWriter::number(1 << (Cut - 1));
  else if (W.has("rn"))
    Up = W.add(32, W.field(false, 32, A, Cut, 1),
               PtxWriter::number((1 << (Cut - 1)) - 1));
  else if (!W.has("rz"))
    return false;
  const PtxRef Abs = W.bitAnd(32, A, PtxWriter::number(0x7fffffff));
  const PtxRef IsNumber =
      W.compare(ComparePredicate::LEU, 32, Abs, PtxWriter::number(0x7f800000));
  const int64_t Kept = 0xffffffff & -(int64_t(1) << Cut);
  const PtxRef Rounded =
      W.bitAnd(32, W.add(32, A, Up), PtxWriter::number(Kept));
  // Away from zero what is no number keeps its bits.
  const PtxRef NoNumber = W.has("rna")
                              ? W.bitAnd(32, A, PtxWriter::number(Kept))
                              : PtxWriter::number(0x7fffffff & Kept);
  return W.done(W.select(32, IsNumber, Rounded, NoNumber));
}

/// Two numbers in one register: the first operand in the upper half.
static bool writePair(PtxWriter &W, const PtxWordType &To,
                      const PtxWordType &From) {
  const SmallFloat *Small = smallFloatOf(To.Text);
  if (!Small || W.size() < 1)
    return false;
  const unsigned Part = Small->Fraction > 4 ? 16 : 8;
  PtxRef Result = PtxWriter::number(0);
  for (unsigned I = 0; I != 2; ++I) {
    PtxRef A;
    if (From.Text == "f32" && W.size() == 2) {
      A = W.in(1 - I);
    } else if (const SmallFloat *Of = smallFloatOf(From.Text);
               Of && W.size() == 1) {
      const unsigned OfBits = Of->Fraction > 4 ? 16 : 8;
      A = widen(W, *Of, W.field(false, 32, W.in(0), I * OfBits, OfBits));
    } else {
      return false;
    }
    if (W.has("relu"))
      A = notNegative(W, 32, A);
    Result = W.insert(roundTo(W, *Small, 32, A), Result, I * Part, Part);
  }
  return W.done(Result);
}

/// "cvt.pack.sat.s16.s32 d, a, b", "cvt.pack.sat.u8.s32.b32 d, a, b, c": a
/// above b above the lower part of c.
static bool writePack(PtxWriter &W) {
  const bool HasRest = W.size() == 3;
  const PtxWordType To = W.type(HasRest ? 2 : 1);
  if (W.size() < 2 || To.Bits == 0 || To.Bits > 16)
    return false;
  auto Part = [&](unsigned I) {
    return W.op(
        Semantics::Trunc, To.Bits,
        {W.clamp(To.isSigned(), To.Bits, W.extend(true, 64, 32, W.in(I)))}, 64);
  };
  PtxRef R = HasRest ? W.shl(32, W.in(2), PtxWriter::number(2 * To.Bits))
                     : PtxWriter::number(0);
  R = W.bitOr(32, R, W.shl(32, Part(0), PtxWriter::number(To.Bits)));
  return W.done(W.bitOr(32, R, Part(1)));
}

static bool writeConvert(PtxWriter &W) {
  if (W.has("pack"))
    return writePack(W);
  const PtxWordType From = W.type(), To = W.type(1);
  if (W.size() < 1 || From.Bits == 0 || To.Bits == 0 || W.has("scaled"))
    return false;
  if (To.Text == "tf32")
    return From.Text == "f32" && writeTensorFloat(W);
  if (To.Parts == 2 || From.Parts == 2)
    return writePair(W, To, From);
  if (W.size() != 1 || To.Text.starts_with("e") || From.Text.starts_with("e"))
    return false;
  std::optional<PtxRef> R;
  if (!From.isFloat() && !To.isFloat())
    R = integerToInteger(W, To, From, W.in(0));
  else if (From.isFloat() && To.isFloat())
    R = floatToFloat(W, To, From, W.in(0));
  else
    R = To.isFloat() ? integerToFloat(W, To, From, W.in(0))
                     : floatToInteger(W, To, From, W.in(0));
  return R && W.done(*R);
}

/// Addresses of all spaces are generic ones here.
static bool writeConvertAddress(PtxWriter &W) {
  return W.size() == 1 && W.type().Bits != 0 &&
         W.done(W.op(Semantics::Copy, W.type().Bits, {W.in(0)}));
}

ArrayRef<PtxLiftRow> gpuocc::ptxConvertRows() {
  static constexpr PtxLiftRow Rows[] = {{"cvt", writeConvert},
                                        {"cvta", writeConvertAddress}};
  return Rows;
}
