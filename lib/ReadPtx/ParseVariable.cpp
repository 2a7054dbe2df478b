//===- ParseVariable.cpp - Declarations of PTX ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuocc;
using namespace llvm;

std::optional<PtxType> gpuocc::ptxTypeOf(StringRef Text) {
  if (Text == "pred")
    return PtxType{Text, 1};
  static constexpr StringLiteral References[] = {"texref", "samplerref",
                                                 "surfref"};
  if (is_contained(References, Text))
    return PtxType{Text, 0};
  // Eight and fewer bits: their letters are numbers of bits.
  const unsigned Small = StringSwitch<unsigned>(Text)
                             .Cases({"e4m3", "e5m2", "ue8m0"}, 8)
                             .Cases({"e4m3x2", "e5m2x2", "ue8m0x2"}, 16)
                             .Cases({"e4m3x4", "e5m2x4"}, 32)
                             .Case("tf32", 32)
                             .Default(0);
  if (Small)
    return PtxType{Text, Small};
  StringRef Rest = Text;
  if (!Rest.consume_front("bf") &&
      (Rest.empty() || !StringRef("busf").contains(Rest.front())))
    return std::nullopt;
  if (Rest.data() == Text.data())
    Rest = Rest.drop_front();
  unsigned Bits = 0, Count = 1;
  if (Rest.consumeInteger(10, Bits) || Bits == 0 || Bits > 128 ||
      (Rest.consume_front("x") && Rest.consumeInteger(10, Count)) ||
      !Rest.empty() || Count == 0 || Count > 8)
    return std::nullopt;
  return PtxType{Text, Bits * Count};
}

/// ".attribute(.managed)", ".attribute(.unified(19, 95))"
bool PtxParser::parseAttribute(PtxVariable &V) {
  const char *Begin = token().Text.data() - 1;
  Lexer.advance();
  if (!expect('('))
    return false;
  for (unsigned Depth = 1; Depth != 0; Lexer.advance()) {
    if (token().K == PtxToken::Kind::End || token().K == PtxToken::Kind::Bad)
      return fail("')'");
    Depth += token().isSign('(');
    Depth -= token().isSign(')');
    V.Attributes = StringRef(
        Begin, size_t(token().Text.data() + token().Text.size() - Begin));
  }
  return true;
}

/// What follows ".ptr": ".global .align 16".
bool PtxParser::parsePointer(PtxVariable &V) {
  static constexpr StringLiteral Spaces[] = {"global", "shared", "local",
                                             "const"};
  V.IsPointer = true;
  if (token().K == PtxToken::Kind::Directive &&
      is_contained(Spaces, token().Text)) {
    V.PointerSpace = token().Text;
    Lexer.advance();
  }
  if (!isDirective("align"))
    return true;
  Lexer.advance();
  return expectUnsigned(V.PointeeAlignBytes, "an alignment");
}

/// ".align 16 .v4 .f32 .ptr", in any order.
bool PtxParser::parseVariableType(PtxVariable &V) {
  while (token().K == PtxToken::Kind::Directive) {
    const StringRef Word = token().Text;
    if (Word == "attribute") {
      if (!parseAttribute(V))
        return false;
      continue;
    }
    Lexer.advance();
    if (Word == "align") {
      if (!expectUnsigned(V.AlignBytes, "an alignment"))
        return false;
    } else if (Word == "ptr") {
      if (!parsePointer(V))
        return false;
    } else if (Word == "v2" || Word == "v4" || Word == "v8") {
      V.VectorLength = unsigned(Word[1] - '0');
    } else if (std::optional<PtxType> T = ptxTypeOf(Word)) {
      V.Type = *T;
    } else if (Word != "unified") {
      return fail("a type such as .b32 before this");
    }
  }
  if (V.Type.Text.empty())
    return fail("a type such as .b32");
  return true;
}

/// "[4][16]" and "[]".
bool PtxParser::parseDimensions(PtxVariable &V) {
  constexpr uint64_t Largest = uint64_t(1) << 40;
  while (take('[')) {
    uint64_t Length = 0;
    if (!token().isSign(']') && !expectInteger(Length, "the size of an array"))
      return false;
    if (Length > Largest / std::max<uint64_t>(1, V.NumElements.value_or(1)))
      return fail("a smaller array before this");
    V.NumElements = V.NumElements ? *V.NumElements * Length : Length;
    if (!expect(']'))
      return false;
  }
  return true;
}

/// A name with what follows it: "x[4] = {1, 2}", "%r<10>".
bool PtxParser::parseDeclarator(PtxVariable &V) {
  constexpr unsigned MostRegisters = 1u << 24;
  if (!expectWord(V.Name, "a name") || !parseDimensions(V))
    return false;
  if (take('<')) {
    if (!expectUnsigned(V.NumRegisters, "the number of registers"))
      return false;
    if (V.NumRegisters > MostRegisters)
      return fail("fewer registers before this");
    if (!expect('>'))
      return false;
  }
  if (!take('='))
    return true;
  V.Initializer = Lexer.takeToSemicolon();
  return token().isSign(';') || fail("';'");
}

bool PtxParser::parseVariables(StringRef Space, StringRef Linkage,
                               std::vector<PtxVariable> &Variables) {
  PtxVariable Common;
  Common.Space = Space;
  Common.Linkage = Linkage;
  if (!parseVariableType(Common))
    return false;
  do {
    PtxVariable V = Common;
    if (!parseDeclarator(V))
      return false;
    Variables.push_back(std::move(V));
  } while (take(','));
  return expect(';');
}
