//===- PtxBits.cpp - What PTX operations on bits compute ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxWriter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace llvm;

static bool writeLogic(PtxWriter &W) {
  const Semantics What = StringSwitch<Semantics>(W.Words[0])
                             .Case("and", Semantics::And)
                             .Case("or", Semantics::Or)
                             .Default(Semantics::Xor);
  const unsigned Bits = W.type().Bits;
  return W.size() >= 2 && Bits != 0 &&
         W.done(W.op(What, Bits, {W.in(0), W.in(1)}));
}

static bool writeNot(PtxWriter &W) {
  const unsigned Bits = W.type().Bits;
  if (W.size() < 1 || Bits == 0)
    return false;
  if (W.Words[0] == "not")
    return W.done(W.bitNot(Bits, W.in(0)));
  const PtxRef IsZero =
      W.compare(ComparePredicate::EQ, Bits, W.in(0), PtxWriter::number(0));
  return W.done(
      W.select(Bits, IsZero, PtxWriter::number(1), PtxWriter::number(0)));
}

/// Logic of three operands by the table \p Table: bit 4 a + 2 b + c of it is
/// the result. Made of as few steps as its shape needs.
static PtxRef logicOfThree(PtxWriter &W, uint8_t Table, PtxRef A, PtxRef B,
                           PtxRef C) {
  constexpr uint8_t OfA = 0xf0, OfB = 0xcc, OfC = 0xaa;
  const std::pair<uint8_t, PtxRef> Of[] = {{OfA, A}, {OfB, B}, {OfC, C}};
  if (Table == 0 || Table == 0xff)
    return PtxWriter::number(Table ? 0xffffffff : 0);
  for (const auto &[T, X] : Of) {
    if (Table == T)
      return X;
    if (Table == uint8_t(~T))
      return W.bitNot(32, X);
  }
  for (unsigned I = 0; I != 3; ++I)
    for (unsigned J = I + 1; J != 3; ++J) {
      const auto [T, X] = Of[I];
      const auto [U, Y] = Of[J];
      for (bool IsOpposite : {false, true}) {
        const uint8_t Wanted = IsOpposite ? uint8_t(~Table) : Table;
        std::optional<PtxRef> R;
        if (Wanted == (T & U))
          R = W.bitAnd(32, X, Y);
        else if (Wanted == (T | U))
          R = W.bitOr(32, X, Y);
        else if (Wanted == (T ^ U))
          R = W.bitXor(32, X, Y);
        else if (Wanted == (T & uint8_t(~U)))
          R = W.bitAnd(32, X, W.bitNot(32, Y));
        else if (Wanted == (U & uint8_t(~T)))
          R = W.bitAnd(32, Y, W.bitNot(32, X));
        if (R)
          return IsOpposite ? W.bitNot(32, *R) : *R;
      }
    }
  // f = (a & f(1, b, c)) | (~a & f(0, b, c)).
  const uint8_t WithA = uint8_t((Table >> 4) * 0x11),
                Without = uint8_t((Table & 0xf) * 0x11);
  if (WithA == uint8_t(~Without))
    return W.bitXor(32, A, logicOfThree(W, Without, A, B, C));
  auto Both = [&](PtxRef X, uint8_t T) {
    return T == 0xff ? X : W.bitAnd(32, X, logicOfThree(W, T, A, B, C));
  };
  if (Without == 0)
    return Both(A, WithA);
  // a | f needs no ~a.
  if (WithA == 0xff)
    return W.bitOr(32, A, logicOfThree(W, Without, A, B, C));
  const PtxRef Second = Both(W.bitNot(32, A), Without);
  return WithA == 0 ? Second : W.bitOr(32, Both(A, WithA), Second);
}

/// "lop3.b32 d, a, b, c, table" and "lop3.or.b32 d|p, a, b, c, table, q".
static bool writeLogicOfThree(PtxWriter &W) {
  if (W.size() < 4 || !W.in(3).isNumber())
    return false;
  PtxRef R =
      logicOfThree(W, uint8_t(W.in(3).Number), W.in(0), W.in(1), W.in(2));
  // A result is a step.
  if (!R.isStep())
    R = W.op(Semantics::Copy, 32, {R});
  W.Results.push_back(R);
  if (W.size() == 4)
    return true;
  const PtxRef IsSet =
      W.compare(ComparePredicate::NE, 32, R, PtxWriter::number(0));
  W.Results.push_back(
      W.op(W.has("and") ? Semantics::And : Semantics::Or, 1, {IsSet, W.in(4)}));
  return true;
}

static bool writeShift(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (W.size() < 2 || T.Bits == 0)
    return false;
  const Semantics What = W.Words[0] == "shl" ? Semantics::Shl
                         : T.isSigned()      ? Semantics::ShrS
                                             : Semantics::ShrU;
  return W.done(W.op(What, T.Bits, {W.in(0), W.in(1)}));
}

static bool writeFunnelShift(PtxWriter &W) {
  if (W.size() < 3)
    return false;
  const bool IsLeft = W.has("l");
  if (W.has("wrap"))
    return W.done(W.op(IsLeft ? Semantics::FunnelL : Semantics::FunnelR, 32,
                       {W.in(0), W.in(1), W.in(2)}));
  const PtxRef By = W.least(false, 32, W.in(2), PtxWriter::number(32));
  const PtxRef Pair = W.op(Semantics::Pack, 64, {W.in(0), W.in(1)});
  return W.done(IsLeft
                    ? W.op(Semantics::High, 32, {W.shl(64, Pair, By)}, 64)
                    : W.op(Semantics::Trunc, 32, {W.shrU(64, Pair, By)}, 64));
}

/// The low three bits of each nibble of what the modes of prmt select by.
static bool writePermute(PtxWriter &W) {
  if (W.size() < 3)
    return false;
  // Selectors for the values 0 to 3 of the third operand (PTX ISA, prmt).
  static constexpr std::pair<StringLiteral, std::array<uint16_t, 4>> Modes[] = {
      {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
      {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
      {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
      {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
      {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
      {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
  PtxRef Selector = W.in(2);
  for (const auto &[Word, Selectors] : Modes) {
    if (!W.has(Word))
      continue;
    // Four selectors of 16 bits lie in one word of 64.
    uint64_t All = 0;
    for (unsigned I = 0; I != 4; ++I)
      All |= uint64_t(Selectors[I]) << (16 * I);
    const PtxRef At = W.shl(32, W.bitAnd(32, W.in(2), PtxWriter::number(3)),
                            PtxWriter::number(4));
    Selector = W.op(Semantics::Trunc, 16,
                    {W.shrU(64, PtxWriter::number(int64_t(All)), At)}, 64);
  }
  return W.done(W.op(Semantics::Prmt, 32, {W.in(0), W.in(1), Selector}));
}

/// The place or length \p A of a field. Of 32-bit fields the low eight bits
/// count, which the rows of Semantics.def say; of 64-bit ones all do (measured
/// on sm_90, test/golden/ptx-opcodes).
static PtxRef place(PtxWriter &W, unsigned Bits, PtxRef A) {
  constexpr int64_t Most = 0xff;
  if (Bits == 32 || (A.isNumber() && A.Number >= 0 && A.Number <= Most))
    return A;
  return W.least(false, 32, A, PtxWriter::number(Most));
}

static bool writeExtract(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (W.size() < 3 || T.Bits == 0)
    return false;
  return W.done(
      W.op(T.isSigned() ? Semantics::BfeS : Semantics::BfeU, T.Bits,
           {W.in(0), place(W, T.Bits, W.in(1)), place(W, T.Bits, W.in(2))}));
}

static bool writeInsert(PtxWriter &W) {
  const unsigned Bits = W.type().Bits;
  if (W.size() < 4 || Bits == 0)
    return false;
  return W.done(W.op(
      Semantics::Bfi, Bits,
      {W.in(0), W.in(1), place(W, Bits, W.in(2)), place(W, Bits, W.in(3))}));
}

static bool writeCount(PtxWriter &W) {
  const unsigned Bits = W.type().Bits;
  if (W.size() < 1 || Bits == 0)
    return false;
  const Semantics What = StringSwitch<Semantics>(W.Words[0])
                             .Case("popc", Semantics::Popc)
                             .Case("clz", Semantics::Clz)
                             .Default(Semantics::Brev);
  return W.done(W.op(What, Bits, {W.in(0)}));
}

/// The place of the highest bit that differs from the sign; all ones where
/// there is none.
static bool writeFind(PtxWriter &W) {
  const PtxWordType T = W.type();
  if (W.size() < 1 || T.Bits == 0)
    return false;
  PtxRef A = W.in(0);
  if (T.isSigned())
    A = W.bitXor(T.Bits, A, W.shrS(T.Bits, A, PtxWriter::number(T.Bits - 1)));
  const PtxRef Zeros = W.op(Semantics::Clz, T.Bits, {A});
  const PtxRef Place = W.sub(32, PtxWriter::number(T.Bits - 1), Zeros);
  if (!W.has("shiftamt"))
    return W.done(Place);
  const PtxRef IsNone =
      W.compare(ComparePredicate::EQ, 32, Zeros, PtxWriter::number(T.Bits));
  return W.done(W.select(32, IsNone, PtxWriter::number(0xffffffff), Zeros));
}

/// Ones in the low \p Length bits of 32.
static PtxRef lowOnes(PtxWriter &W, PtxRef Length) {
  return W.bitNot(32, W.shl(32, PtxWriter::number(0xffffffff), Length));
}

/// The place of set bit number \p N (from 0) of \p Mask, by halving.
static PtxRef placeOfSet(PtxWriter &W, PtxRef Mask, PtxRef N) {
  PtxRef At = PtxWriter::number(0);
  for (int Width : {16, 8, 4, 2, 1}) {
    const PtxRef Count =
        W.op(Semantics::Popc, 32,
             {W.bitAnd(32, W.shrU(32, Mask, At),
                       PtxWriter::number((int64_t(1) << Width) - 1))});
    const PtxRef IsAbove = W.compare(ComparePredicate::GEU, 32, N, Count);
    At = W.select(32, IsAbove, W.add(32, At, PtxWriter::number(Width)), At);
    N = W.select(32, IsAbove, W.sub(32, N, Count), N);
  }
  return At;
}

/// "fns.b32 d, mask, base, offset": the set bit number |offset| from base on,
/// upwards or downwards; all ones where there is none.
static bool writeFindNth(PtxWriter &W) {
  if (W.size() < 3)
    return false;
  const PtxRef Mask = W.in(0), Base = W.in(1), Offset = W.in(2);
  const PtxRef Zero = PtxWriter::number(0),
               None = PtxWriter::number(0xffffffff);
  const PtxRef IsDown = W.compare(ComparePredicate::LTS, 32, Offset, Zero);
  const PtxRef IsHere = W.compare(ComparePredicate::EQ, 32, Offset, Zero);
  const PtxRef Up = W.bitAnd(32, Mask, W.shl(32, None, Base));
  const PtxRef Down = W.op(
      Semantics::Brev, 32,
      {W.bitAnd(32, Mask, lowOnes(W, W.add(32, Base, PtxWriter::number(1))))});
  const PtxRef From = W.select(32, IsDown, Down, Up);
  const PtxRef N =
      W.sub(32, W.op(Semantics::Abs, 32, {Offset}), PtxWriter::number(1));
  const PtxRef At = placeOfSet(W, From, N);
  const PtxRef Exists = W.compare(ComparePredicate::LTU, 32, N,
                                  W.op(Semantics::Popc, 32, {From}));
  const PtxRef Place =
      W.select(32, IsDown, W.sub(32, PtxWriter::number(31), At), At);
  const PtxRef IsInside =
      W.compare(ComparePredicate::LTU, 32, Base, PtxWriter::number(32));
  const PtxRef Searched =
      W.select(32, W.bitAnd(1, Exists, IsInside), Place, None);
  const PtxRef IsBaseSet = W.compare(
      ComparePredicate::NE, 32,
      W.bitAnd(32, W.shrU(32, Mask, Base), PtxWriter::number(1)), Zero);
  const PtxRef Found =
      W.select(32, IsHere, W.select(32, IsBaseSet, Base, None), Searched);
  // The lowest offset has no opposite.
  const PtxRef Lowest = PtxWriter::number(0x80000000);
  return W.done(W.select(
      32, W.compare(ComparePredicate::EQ, 32, Offset, Lowest), Zero, Found));
}

/// bmsk: \p Length ones from \p At on.
static bool writeMask(PtxWriter &W) {
  if (W.size() < 2)
    return false;
  PtxRef At = W.in(0), Length = W.in(1);
  if (W.has("wrap")) {
    At = W.bitAnd(32, At, PtxWriter::number(31));
    Length = W.bitAnd(32, Length, PtxWriter::number(31));
  }
  return W.done(W.shl(32, lowOnes(W, Length), At));
}

/// szext: the low bits of the first operand, extended.
static bool writeExtend(PtxWriter &W) {
  if (W.size() < 2)
    return false;
  PtxRef Length = W.in(1);
  if (W.has("wrap"))
    Length = W.bitAnd(32, Length, PtxWriter::number(31));
  else
    Length = W.least(false, 32, Length, PtxWriter::number(32));
  return W.done(W.op(W.type().isSigned() ? Semantics::BfeS : Semantics::BfeU,
                     32, {W.in(0), PtxWriter::number(0), Length}));
}

/// mov: a register, a number, parts put together or taken apart.
static bool writeMove(PtxWriter &W) {
  const unsigned Bits = W.type().Bits;
  if (W.size() != 1 || Bits == 0)
    return false;
  const PtxArgument &A = W.Operands[0];
  if (A.IsVector) {
    SmallVector<PtxRef, 4> Parts;
    for (const PtxArgument &E : A.Elements)
      Parts.push_back(E.Value);
    return W.done(W.op(Semantics::Pack, Bits, Parts));
  }
  if (W.NumResults == 1) {
    if (A.Value.K == PtxRef::Kind::Unknown)
      return false;
    return W.done(A.Value.isStep() && A.Value.Result == 0
                      ? A.Value
                      : W.op(Semantics::Copy, Bits, {A.Value}));
  }
  const unsigned Part = Bits / W.NumResults;
  for (unsigned I = 0; I != W.NumResults; ++I)
    W.Results.push_back(W.op(
        Semantics::Trunc, Part,
        {I == 0 ? A.Value : W.shrU(Bits, A.Value, PtxWriter::number(I * Part))},
        Bits));
  return true;
}

ArrayRef<PtxLiftRow> gpuocc::ptxBitRows() {
  static constexpr PtxLiftRow Rows[] = {
      {"and", writeLogic},       {"or", writeLogic},
      {"xor", writeLogic},       {"not", writeNot},
      {"cnot", writeNot},        {"lop3", writeLogicOfThree},
      {"shl", writeShift},       {"shr", writeShift},
      {"shf", writeFunnelShift}, {"prmt", writePermute},
      {"bfe", writeExtract},     {"bfi", writeInsert},
      {"popc", writeCount},      {"clz", writeCount},
      {"brev", writeCount},      {"bfind", writeFind},
      {"fns", writeFindNth},     {"bmsk", writeMask},
      {"szext", writeExtend},    {"mov", writeMove}};
  return Rows;
}
