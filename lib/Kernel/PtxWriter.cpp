//===- PtxWriter.cpp - Writes the steps of PTX instructions ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxWriter.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

PtxWordType gpuocc::ptxWordType(StringRef Word) {
  PtxWordType T;
  if (Word == "pred") {
    T.Text = Word;
    T.Bits = 1;
    return T;
  }
  StringRef Rest = Word;
  for (StringRef Kind : {"u", "s", "b", "f", "bf", "tf"}) {
    Rest = Word;
    if (!Rest.consume_front(Kind) || Rest.empty() || !isDigit(Rest.front()))
      continue;
    if (Rest.consumeInteger(10, T.Bits))
      return PtxWordType();
    if (Rest.consume_front("x") && Rest.consumeInteger(10, T.Parts))
      return PtxWordType();
    if (!Rest.empty())
      return PtxWordType();
    T.Text = Word;
    return T;
  }
  // "e4m3x2": one number of 8 bits, and their number.
  if (Word.starts_with("e4m3") || Word.starts_with("e5m2")) {
    T.Text = Word;
    T.Bits = 8;
    T.Parts = Word.ends_with("x2") ? 2 : Word.ends_with("x4") ? 4 : 1;
  }
  return T;
}

PtxWordType PtxWriter::type(unsigned FromEnd) const {
  for (StringRef Word : reverse(Words))
    if (const PtxWordType T = ptxWordType(Word); T.Bits != 0 && FromEnd-- == 0)
      return T;
  return PtxWordType();
}

PtxRef PtxWriter::op(Semantics What, unsigned Bits, ArrayRef<PtxRef> O,
                     unsigned FromBits) {
  PtxStep S;
  S.What = What;
  S.Bits = uint8_t(Bits);
  S.FromBits = uint8_t(FromBits);
  S.Operands.assign(O.begin(), O.end());
  S.Statement = Statement;
  To.Steps.push_back(std::move(S));
  return PtxRef::step(uint32_t(To.Steps.size()) - 1);
}

PtxRef PtxWriter::compare(ComparePredicate P, unsigned Bits, PtxRef A,
                          PtxRef B) {
  const PtxRef R = op(Semantics::Compare, Bits, {A, B});
  To.Steps.back().Compare = P;
  return R;
}

PtxRef PtxWriter::compareFloats(ComparePredicate P, bool HoldsForNaN,
                                unsigned Bits, PtxRef A, PtxRef B) {
  const PtxRef R = op(Semantics::FCompare, Bits, {A, B});
  To.Steps.back().Compare = P;
  To.Steps.back().Imm = HoldsForNaN;
  return R;
}

PtxRef PtxWriter::special(SpecialReg Register) {
  const PtxRef R = op(Semantics::SReg, 32, {});
  To.Steps.back().SReg = Register;
  return R;
}

PtxRef PtxWriter::shuffle(ShuffleKind Kind, PtxRef A, PtxRef By, PtxRef Clamp,
                          unsigned Results) {
  const PtxRef R = op(Semantics::Shuffle, 32, {A, By, Clamp});
  To.Steps.back().NumResults = uint8_t(Results);
  To.Steps.back().Shuffle = Kind;
  return R;
}

PtxRef PtxWriter::convert(Semantics What, unsigned Bits, unsigned FromBits,
                          PtxRef A, IntegerRounding Mode) {
  const PtxRef R = op(What, Bits, {A}, FromBits);
  To.Steps.back().Imm = int64_t(Mode);
  return R;
}

PtxRef PtxWriter::clamp(bool Signed, unsigned Bits, PtxRef A) {
  const int64_t Most = Signed ? int64_t((uint64_t(1) << (Bits - 1)) - 1)
                              : int64_t((uint64_t(1) << Bits) - 1);
  const int64_t Least = Signed ? -Most - 1 : 0;
  return least(true, 64, most(true, 64, A, number(Least)), number(Most));
}
