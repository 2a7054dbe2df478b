//===- PtxVideo.cpp - What PTX video instructions compute -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxWriter.h"

using namespace gpuocc;
using namespace llvm;

/// The types of the mnemonic, in their order.
static SmallVector<PtxWordType, 4> typesOf(const PtxWriter &W) {
  SmallVector<PtxWordType, 4> Types;
  for (StringRef Word : W.Words)
    if (const PtxWordType T = ptxWordType(Word); T.Bits == 32 && T.Parts == 1)
      Types.push_back(T);
  return Types;
}

/// Are the parts that \p Part names ones of \p Registers registers? "b3",
/// "h10".
static bool isPartOf(StringRef Part, unsigned Registers) {
  if (Part.empty())
    return true;
  const unsigned Parts = (Part.front() == 'b' ? 4 : 2) * Registers;
  return all_of(Part.drop_front(),
                [&](char C) { return unsigned(C - '0') < Parts; });
}

/// Does each selector name at most \p Most parts, of \p Registers registers?
static bool hasParts(const PtxWriter &W, size_t Most, unsigned Registers) {
  auto Fits = [&](StringRef Part, unsigned Of) {
    return Part.size() <= Most + 1 && isPartOf(Part, Of);
  };
  return Fits(W.ResultPart, 1) && all_of(W.Operands, [&](const PtxArgument &A) {
           return Fits(A.Part, Registers);
         });
}

/// The part of operand \p I that its selector names, in 64 bits.
static PtxRef partOf(PtxWriter &W, unsigned I, bool Signed) {
  const PtxArgument &A = W.Operands[I];
  unsigned Number = 0;
  PtxRef R;
  if (A.Part.empty())
    R = W.extend(Signed, 64, 32, A.Value);
  else {
    A.Part.drop_front().getAsInteger(10, Number);
    const unsigned Bits = A.Part.front() == 'b' ? 8 : 16;
    R = W.extend(Signed, 64, 32,
                 W.field(Signed, 32, A.Value, Number * Bits, Bits));
  }
  return A.IsNegative ? W.op(Semantics::Neg, 64, {R}) : R;
}

/// What one lane of an operation on \p A and \p B, in 64 bits, gives.
static std::optional<PtxRef> combined(PtxWriter &W, StringRef Word, PtxRef A,
                                      PtxRef B) {
  if (Word == "vadd")
    return W.add(64, A, B);
  if (Word == "vsub")
    return W.sub(64, A, B);
  if (Word == "vmin")
    return W.least(true, 64, A, B);
  if (Word == "vmax")
    return W.most(true, 64, A, B);
  if (Word == "vabsdiff")
    return W.sub(64, W.most(true, 64, A, B), W.least(true, 64, A, B));
  // Rounded up, away from zero.
  if (Word == "vavrg") {
    const PtxRef Sum = W.add(64, A, B);
    const PtxRef IsNegative =
        W.compare(ComparePredicate::LTS, 64, Sum, PtxWriter::number(0));
    const PtxRef Up =
        W.select(64, IsNegative, PtxWriter::number(0), PtxWriter::number(1));
    return W.shrS(64, W.add(64, Sum, Up), PtxWriter::number(1));
  }
  return std::nullopt;
}

static std::optional<PtxRef> compared(PtxWriter &W, PtxRef A, PtxRef B) {
  static constexpr std::pair<StringLiteral, ComparePredicate> Rows[] = {
      {"eq", ComparePredicate::EQ},  {"ne", ComparePredicate::NE},
      {"lt", ComparePredicate::LTS}, {"le", ComparePredicate::LES},
      {"gt", ComparePredicate::GTS}, {"ge", ComparePredicate::GES}};
  for (const auto &[Word, P] : Rows)
    if (W.has(Word))
      return W.select(64, W.compare(P, 64, A, B), PtxWriter::number(1),
                      PtxWriter::number(0));
  return std::nullopt;
}

/// The second operation, on the result \p R in 64 bits and operand 2, or the
/// merge of \p R into a part of it. Parts are what sm_90 makes of them
/// (test/golden/ptx-opcodes): the upper half gets that of the result.
static PtxRef withThird(PtxWriter &W, bool Signed, PtxRef R) {
  const PtxRef Low = W.op(Semantics::Trunc, 32, {R}, 64);
  if (W.size() < 3)
    return Low;
  const PtxRef C = W.in(2);
  const StringRef Part = W.ResultPart;
  if (Part == "h1")
    return W.bitOr(32, W.bitAnd(32, Low, PtxWriter::number(0xffff0000)),
                   W.bitAnd(32, C, PtxWriter::number(0xffff)));
  if (!Part.empty()) {
    unsigned Number = 0;
    Part.drop_front().getAsInteger(10, Number);
    const unsigned Bits = Part.front() == 'b' ? 8 : 16;
    return W.insert(Low, C, Number * Bits, Bits);
  }
  if (W.has("add"))
    return W.add(32, Low, C);
  const PtxRef Wide = W.extend(Signed, 64, 32, C);
  return W.op(Semantics::Trunc, 32,
              {W.has("min") ? W.least(Signed, 64, R, Wide)
                            : W.most(Signed, 64, R, Wide)},
              64);
}

/// \p R, in 64 bits, saturated as sm_90 does: unsigned numbers below zero only,
/// and parts after the whole.
static PtxRef saturated(PtxWriter &W, bool Signed, PtxRef R) {
  R = Signed ? W.clamp(true, 32, R) : W.most(true, 64, R, PtxWriter::number(0));
  if (W.ResultPart.empty())
    return R;
  const unsigned Bits = W.ResultPart.front() == 'b' ? 8 : 16;
  return W.least(false, 64, W.bitAnd(64, R, PtxWriter::number(0xffffffff)),
                 PtxWriter::number((int64_t(1) << (Bits - Signed)) - 1));
}

/// vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vset.
static bool writeScalar(PtxWriter &W) {
  const SmallVector<PtxWordType, 4> Types = typesOf(W);
  const StringRef Word = W.Words[0];
  const bool IsSet = Word == "vset";
  if (W.size() < 2 || Types.size() < (IsSet ? 2u : 3u) || !hasParts(W, 1, 1))
    return false;
  const bool Signed = !IsSet && Types[0].isSigned();
  const bool SignedA = Types[IsSet ? 0 : 1].isSigned(),
             SignedB = Types[IsSet ? 1 : 2].isSigned();
  const PtxRef A = partOf(W, 0, SignedA);
  std::optional<PtxRef> R;
  if (Word == "vshl" || Word == "vshr") {
    PtxRef By = W.op(Semantics::Trunc, 32, {partOf(W, 1, SignedB)}, 64);
    By = W.has("wrap") ? W.bitAnd(32, By, PtxWriter::number(31))
                       : W.least(false, 32, By, PtxWriter::number(32));
    R = Word == "vshl" ? W.shl(64, A, By) : W.shrS(64, A, By);
  } else {
    const PtxRef B = partOf(W, 1, SignedB);
    R = IsSet ? compared(W, A, B) : combined(W, Word, A, B);
  }
  if (!R)
    return false;
  // Left shifts saturate as no rule tells.
  if (W.has("sat") && Word == "vshl")
    return false;
  return W.done(
      withThird(W, Signed, W.has("sat") ? saturated(W, Signed, *R) : *R));
}

/// vmad: a product of parts, a sum, a shift.
static bool writeMad(PtxWriter &W) {
  const SmallVector<PtxWordType, 4> Types = typesOf(W);
  if (W.size() < 3 || Types.size() < 3 || !hasParts(W, 1, 1))
    return false;
  const bool SignedA = Types[1].isSigned(), SignedB = Types[2].isSigned();
  // Unsigned numbers saturate as no rule tells.
  if (W.has("sat") && !Types[0].isSigned())
    return false;
  PtxRef R =
      W.op(Semantics::Mul, 64, {partOf(W, 0, SignedA), partOf(W, 1, SignedB)});
  // On sm_90 the addend is signed whatever the others are.
  R = W.add(64, R, partOf(W, 2, true));
  if (W.has("po"))
    R = W.add(64, R, PtxWriter::number(1));
  for (const auto &[Word, By] : {std::pair("shr7", 7), {"shr15", 15}})
    if (W.has(Word))
      R = W.shrS(64, R, PtxWriter::number(By));
  if (W.has("sat"))
    R = W.clamp(true, 32, R);
  return W.done(W.op(Semantics::Trunc, 32, {R}, 64));
}

/// The places of the parts that "h10" or "b7531" selects from both operands.
static SmallVector<unsigned, 4> selection(StringRef Part, unsigned Parts) {
  SmallVector<unsigned, 4> Places;
  // The last digit is the lowest part.
  for (char C : reverse(Part.drop_front(Part.empty() ? 0 : 1)))
    Places.push_back(unsigned(C - '0'));
  while (Places.size() < Parts)
    Places.push_back(unsigned(Places.size()));
  return Places;
}

/// Is part \p I of the result written where \p Part names those that are?
static bool isWritten(StringRef Part, unsigned I) {
  return Part.empty() || Part.drop_front().contains(char('0' + I));
}

/// vadd2, vset4 and the like: each of two or four parts for itself.
static bool writeParallel(PtxWriter &W) {
  StringRef Word = W.Words[0];
  const unsigned Parts = Word.back() == '2' ? 2 : 4, Bits = 32 / Parts;
  Word = Word.drop_back();
  const SmallVector<PtxWordType, 4> Types = typesOf(W);
  const bool IsSet = Word == "vset";
  if (W.size() < 3 || Types.size() < (IsSet ? 2u : 3u) ||
      !hasParts(W, Parts, 2))
    return false;
  const bool Signed = !IsSet && Types[0].isSigned();
  const bool SignedA = Types[IsSet ? 0 : 1].isSigned(),
             SignedB = Types[IsSet ? 1 : 2].isSigned();
  const SmallVector<unsigned, 4> OfA = selection(W.Operands[0].Part, Parts),
                                 OfB = selection(W.Operands[1].Part, Parts);
  // Parts are numbered through both operands.
  auto PartAt = [&](unsigned Place, bool SignedPart) {
    const PtxRef From = W.in(Place < Parts ? 0 : 1);
    return W.extend(SignedPart, 64, 32,
                    W.field(SignedPart, 32, From, Place % Parts * Bits, Bits));
  };
  const bool Adds = W.has("add");
  PtxRef Result = W.in(2);
  for (unsigned I = 0; I != Parts; ++I) {
    if (!isWritten(W.ResultPart, I))
      continue;
    const bool SelectsB = !W.Operands[1].Part.empty();
    const PtxRef A = PartAt(OfA[I], SignedA);
    const PtxRef B = PartAt(SelectsB ? OfB[I] : Parts + I, SignedB);
    std::optional<PtxRef> R =
        IsSet ? compared(W, A, B) : combined(W, Word, A, B);
    if (!R)
      return false;
    if (W.has("sat"))
      R = W.clamp(Signed, Bits, *R);
    const PtxRef Low = W.op(Semantics::Trunc, 32, {*R}, 64);
    Result =
        Adds ? W.add(32, Result, Low) : W.insert(Low, Result, I * Bits, Bits);
  }
  return W.done(Result);
}

ArrayRef<PtxLiftRow> gpuocc::ptxVideoRows() {
  static constexpr PtxLiftRow Rows[] = {
      {"vadd", writeScalar},        {"vsub", writeScalar},
      {"vabsdiff", writeScalar},    {"vmin", writeScalar},
      {"vmax", writeScalar},        {"vshl", writeScalar},
      {"vshr", writeScalar},        {"vset", writeScalar},
      {"vmad", writeMad},           {"vadd2", writeParallel},
      {"vsub2", writeParallel},     {"vavrg2", writeParallel},
      {"vabsdiff2", writeParallel}, {"vmin2", writeParallel},
      {"vmax2", writeParallel},     {"vset2", writeParallel},
      {"vadd4", writeParallel},     {"vsub4", writeParallel},
      {"vavrg4", writeParallel},    {"vabsdiff4", writeParallel},
      {"vmin4", writeParallel},     {"vmax4", writeParallel},
      {"vset4", writeParallel}};
  return Rows;
}
