//===- ParseStatement.cpp - Bodies of PTX functions -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Braces and brackets that may be open in one operand.
static constexpr unsigned DeepestOperand = 8;

static constexpr StringLiteral LocalSpaces[] = {"reg",   "shared", "local",
                                                "param", "global", "const"};

PtxStatement PtxParser::statement(PtxStatement::Kind K,
                                  const PtxFunction &F) const {
  PtxStatement S;
  S.K = K;
  S.Place = Lexer.place();
  S.SourceLine = int(F.Lines.size()) - 1;
  return S;
}

bool PtxParser::parseBody(PtxFunction &F) {
  using Kind = PtxStatement::Kind;
  for (unsigned Depth = 1; Depth != 0;) {
    if (token().K == PtxToken::Kind::Directive) {
      if (!parseBodyDirective(F))
        return false;
      continue;
    }
    PtxStatement S = statement(Kind::Instruction, F);
    if (take('{')) {
      S.K = Kind::BlockBegin;
      ++Depth;
      F.Body.push_back(std::move(S));
    } else if (take('}')) {
      S.K = Kind::BlockEnd;
      if (--Depth != 0)
        F.Body.push_back(std::move(S));
    } else if (take(';')) {
      continue;
    } else if (!parseLabel(F, std::move(S))) {
      return false;
    }
  }
  return true;
}

/// A label or what has one, otherwise an instruction.
bool PtxParser::parseLabel(PtxFunction &F, PtxStatement S) {
  using Kind = PtxStatement::Kind;
  if (take('@')) {
    S.GuardNegated = take('!');
    if (!expectWord(S.Guard, "a predicate"))
      return false;
  }
  if (!expectWord(S.Text, "an instruction, a label or '}'"))
    return false;
  if (!S.Guard.empty() || !take(':')) {
    if (!parseInstruction(S))
      return false;
    F.Body.push_back(std::move(S));
    return true;
  }
  S.K = Kind::Label;
  if (isDirective("branchtargets") || isDirective("calltargets")) {
    S.K = Kind::Targets;
    S.Directive = token().Text;
    Lexer.advance();
    do {
      PtxOperand O;
      if (!parseOperand(O))
        return false;
      S.Operands.push_back(std::move(O));
    } while (take(','));
    if (!expect(';'))
      return false;
  } else if (isDirective("callprototype")) {
    S.K = Kind::Prototype;
    Lexer.advance();
    S.Directive = Lexer.takeToSemicolon();
    if (!expect(';'))
      return false;
  }
  F.Body.push_back(std::move(S));
  return true;
}

bool PtxParser::parseBodyDirective(PtxFunction &F) {
  PtxStatement S = statement(PtxStatement::Kind::Variable, F);
  const StringRef Name = token().Text;
  StringRef Space = Name, Linkage;
  if (Name == "extern" || Name == "visible" || Name == "weak") {
    Linkage = Name;
    Lexer.advance();
    Space = token().Text;
  }
  if (is_contained(LocalSpaces, Space) &&
      token().K == PtxToken::Kind::Directive) {
    Lexer.advance();
    S.Variable = unsigned(F.Variables.size());
    if (!parseVariables(Space, Linkage, F.Variables))
      return false;
    for (; S.Variable != F.Variables.size(); ++S.Variable)
      F.Body.push_back(S);
    return true;
  }
  Lexer.advance();
  if (Name == "loc")
    return parseSourceLine(F);
  if (Name == "file")
    return parseFile();
  if (Name == "section")
    return parseSection();
  if (Name == "pragma" && token().K == PtxToken::Kind::String) {
    S.K = PtxStatement::Kind::Pragma;
    S.Text = token().Text;
    Lexer.advance();
    F.Body.push_back(std::move(S));
    return expect(';');
  }
  return fail("a known directive before this");
}

/// ", function_name $L__info_string0, inlined_at 1 20 3" behind a line.
bool PtxParser::parseInlinedAt(PtxSourceLine &L) {
  Lexer.advance();
  if (!isWord("function_name"))
    return fail("'function_name'");
  Lexer.advance();
  if (!expectWord(L.Function, "the label of a name") ||
      (take('+') && !expectInteger(L.FunctionOffset, "an offset")) ||
      !expect(','))
    return false;
  if (!isWord("inlined_at"))
    return fail("'inlined_at'");
  Lexer.advance();
  PtxSourceLine::Call C;
  if (!expectUnsigned(C.File, "the number of a file") ||
      !expectUnsigned(C.Line, "a line"))
    return false;
  L.InlinedAt = C;
  L.InlinedAt->Column = unsigned(token().Number);
  uint64_t Column = 0;
  return expectInteger(Column, "a column");
}

/// ".loc 1 20 3"
bool PtxParser::parseSourceLine(PtxFunction &F) {
  PtxSourceLine L;
  uint64_t Column = 0;
  if (!expectUnsigned(L.File, "the number of a file") ||
      !expectUnsigned(L.Line, "a line") || !expectInteger(Column, "a column"))
    return false;
  L.Column = unsigned(Column);
  if (token().isSign(',') && !parseInlinedAt(L))
    return false;
  L.Comment = Lexer.commentBefore();
  F.Lines.push_back(L);
  return true;
}

/// What follows the mnemonic, up to ";".
bool PtxParser::parseInstruction(PtxStatement &S) {
  if (take(';'))
    return true;
  do {
    PtxOperand O;
    if (!parseOperand(O))
      return false;
    S.Operands.push_back(std::move(O));
  } while (take(','));
  return expect(';');
}

/// "+4", "-4", "+-4", or nothing.
bool PtxParser::parseOffset(int64_t &Offset) {
  if (!token().isSign('+') && !token().isSign('-'))
    return true;
  bool IsNegative = take('-');
  if (!IsNegative) {
    Lexer.advance();
    IsNegative = take('-');
  }
  uint64_t Number;
  if (!expectInteger(Number, "an offset"))
    return false;
  Offset = int64_t(IsNegative ? 0 - Number : Number);
  return true;
}

bool PtxParser::parseNameOperand(PtxOperand &O) {
  O.K = PtxOperand::Kind::Name;
  O.Name = token().Text;
  Lexer.advance();
  if (take('|'))
    return expectWord(O.Second, "a register");
  return parseOffset(O.Number);
}

bool PtxParser::parseNumberOperand(PtxOperand &O) {
  const bool IsNegative = take('-');
  if (token().K == PtxToken::Kind::Float) {
    O.K = PtxOperand::Kind::Float;
    O.FloatBits = token().FloatBits;
    O.Number = int64_t(token().Number);
    if (IsNegative)
      O.Number ^= int64_t(uint64_t(1) << (O.FloatBits - 1));
    Lexer.advance();
    return true;
  }
  uint64_t Number;
  if (!expectInteger(Number, "an operand"))
    return false;
  O.K = PtxOperand::Kind::Integer;
  O.Number = int64_t(IsNegative ? 0 - Number : Number);
  return true;
}

bool PtxParser::parseElements(PtxOperand &O, char Close, unsigned Depth) {
  if (take(Close))
    return true;
  do {
    O.Elements.emplace_back();
    if (!parseOperand(O.Elements.back(), Depth + 1))
      return false;
  } while (take(','));
  return expect(Close);
}

/// What follows "[".
bool PtxParser::parseAddress(PtxOperand &O, unsigned Depth) {
  O.K = PtxOperand::Kind::Address;
  if (token().K == PtxToken::Kind::Word) {
    O.Name = token().Text;
    Lexer.advance();
    if (!parseOffset(O.Number))
      return false;
  } else if (!parseOffset(O.Number)) {
    return false;
  } else if (O.Number == 0) {
    uint64_t Number;
    if (!expectInteger(Number, "an address"))
      return false;
    O.Number = int64_t(Number);
  }
  if (take(','))
    return parseElements(O, ']', Depth);
  return expect(']');
}

bool PtxParser::parseOperand(PtxOperand &O, unsigned Depth) {
  if (Depth > DeepestOperand)
    return fail("fewer nested operands");
  if (take('!')) {
    O.Negated = true;
    return token().K == PtxToken::Kind::Word ? parseNameOperand(O)
                                             : fail("a predicate");
  }
  if (take('[')) {
    return parseAddress(O, Depth);
  }
  if (take('{')) {
    O.K = PtxOperand::Kind::Vector;
    return parseElements(O, '}', Depth);
  }
  if (take('(')) {
    O.K = PtxOperand::Kind::List;
    return parseElements(O, ')', Depth);
  }
  return token().K == PtxToken::Kind::Word ? parseNameOperand(O)
                                           : parseNumberOperand(O);
}
