//===- Parser.cpp - Tokens to PTX -----------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "gpuocc/ReadPtx/ParsePtx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral Linkages[] = {"visible", "extern", "weak",
                                             "common"};
static constexpr StringLiteral VariableSpaces[] = {"global", "const", "shared",
                                                   "tex"};

bool PtxParser::take(char C) {
  if (!token().isSign(C))
    return false;
  Lexer.advance();
  return true;
}

bool PtxParser::expect(char C) { return take(C) || fail("'" + Twine(C) + "'"); }

bool PtxParser::expectWord(StringRef &Word, const Twine &What) {
  if (token().K != PtxToken::Kind::Word)
    return fail(What);
  Word = token().Text;
  Lexer.advance();
  return true;
}

bool PtxParser::expectInteger(uint64_t &Number, const Twine &What) {
  if (token().K != PtxToken::Kind::Integer)
    return fail(What);
  Number = token().Number;
  Lexer.advance();
  return true;
}

bool PtxParser::expectUnsigned(unsigned &Number, const Twine &What) {
  if (token().K == PtxToken::Kind::Integer && token().Number > UINT32_MAX)
    return fail(What + " below 4294967296");
  uint64_t Value = 0;
  if (!expectInteger(Value, What))
    return false;
  Number = unsigned(Value);
  return true;
}

/// What is found instead of what was expected, as a message says it.
static std::string describe(const PtxToken &T) {
  using Kind = PtxToken::Kind;
  constexpr size_t LongestShown = 40;
  std::string Text;
  raw_string_ostream OS(Text);
  switch (T.K) {
  case Kind::End:
    return "the end of the file";
  case Kind::String:
    return "a string";
  default:
    OS << '\'' << (T.K == Kind::Directive ? "." : "");
    printEscapedString(T.Text.take_front(LongestShown), OS);
    OS << '\'';
    return Text;
  }
}

bool PtxParser::fail(const Twine &Expected) {
  if (!Problem.empty())
    return false;
  const PtxPlace P = Lexer.place();
  Problem = (M.FileName + ":" + Twine(P.Line) + ":" + Twine(P.Column) +
             ": error: expected " + Expected + ", found " + describe(token()))
                .str();
  return false;
}

/// ".target sm_90a, debug"
bool PtxParser::parseTarget() {
  if (!expectWord(M.Architecture, "an architecture such as sm_90"))
    return false;
  while (take(',')) {
    StringRef Option;
    if (!expectWord(Option, "an option of .target"))
      return false;
    M.TargetOptions.push_back(Option);
  }
  return true;
}

/// ".file 1 "a.cu", 1700000000, 1234"
bool PtxParser::parseFile() {
  PtxFile F;
  if (!expectUnsigned(F.Index, "the number of a file"))
    return false;
  while (token().K == PtxToken::Kind::String) {
    F.Path = token().Text;
    Lexer.advance();
  }
  if (F.Path.empty())
    return fail("the path of the file");
  while (take(',')) {
    uint64_t Number;
    if (!expectInteger(Number, "a number"))
      return false;
    F.Numbers.push_back(Number);
  }
  M.Files.push_back(std::move(F));
  return true;
}

/// ".section .debug_str { ... }"
bool PtxParser::parseSection() {
  PtxSection S;
  if (token().K != PtxToken::Kind::Directive &&
      token().K != PtxToken::Kind::Word)
    return fail("the name of a section");
  S.Name = token().Text;
  Lexer.advance();
  if (!expect('{'))
    return false;
  const StringRef Text = Lexer.takeToClosingBrace();
  if (!token().isSign('}'))
    return fail("'}' behind the section");
  S.Text = Text;
  Lexer.advance();
  M.Sections.push_back(S);
  return true;
}

/// ".alias f, g;"
bool PtxParser::parseAlias() {
  std::array<StringRef, 2> Names;
  if (!expectWord(Names[0], "a function") || !expect(',') ||
      !expectWord(Names[1], "a function") || !expect(';'))
    return false;
  M.Aliases.push_back(Names);
  return true;
}

bool PtxParser::parseParameters(std::vector<PtxVariable> &Parameters) {
  if (!expect('('))
    return false;
  if (take(')'))
    return true;
  do {
    if (!isDirective("param") && !isDirective("reg"))
      return fail("a parameter (.param)");
    PtxVariable V;
    V.Space = token().Text;
    Lexer.advance();
    if (!parseVariableType(V) || !parseDeclarator(V))
      return false;
    Parameters.push_back(std::move(V));
  } while (take(','));
  return expect(')');
}

/// ".reqntid 128, 1, 1", ".pragma "...";", ".noreturn".
bool PtxParser::parseFunctionDirective(PtxFunction &F) {
  PtxDirective D;
  D.Name = token().Text;
  Lexer.advance();
  if (token().K == PtxToken::Kind::String) {
    D.Text = token().Text;
    Lexer.advance();
    take(';');
  } else if (token().K == PtxToken::Kind::Integer) {
    do {
      uint64_t Number;
      if (!expectInteger(Number, "a number"))
        return false;
      D.Numbers.push_back(Number);
    } while (take(','));
  }
  F.Directives.push_back(std::move(D));
  return true;
}

/// What follows ".entry" or ".func", up to the body or ";".
bool PtxParser::parseFunction(PtxFunction &F) {
  F.Place = Lexer.place();
  while (isDirective("attribute")) {
    PtxVariable V;
    if (!parseAttribute(V))
      return false;
    F.Attributes = V.Attributes;
  }
  if (!F.IsKernel && token().isSign('(') && !parseParameters(F.Results))
    return false;
  if (!expectWord(F.Name, "the name of a function") ||
      (token().isSign('(') && !parseParameters(F.Parameters)))
    return false;
  while (token().K == PtxToken::Kind::Directive)
    if (!parseFunctionDirective(F))
      return false;
  if (take(';'))
    return true;
  F.HasBody = true;
  return expect('{') && parseBody(F);
}

/// A variable or function behind its linkage, ".visible" or ".extern".
bool PtxParser::parseLinked(StringRef Linkage) {
  if (token().K != PtxToken::Kind::Directive)
    return fail("a variable or function");
  const StringRef What = token().Text;
  if (What != "entry" && What != "func") {
    if (!is_contained(VariableSpaces, What))
      return fail("'.entry', '.func', or a variable");
    Lexer.advance();
    return parseVariables(What, Linkage, M.Variables);
  }
  Lexer.advance();
  PtxFunction F;
  F.Linkage = Linkage;
  F.IsKernel = What == "entry";
  if (!parseFunction(F))
    return false;
  M.Functions.push_back(std::move(F));
  return true;
}

bool PtxParser::parseTopLevel() {
  if (token().K != PtxToken::Kind::Directive)
    return fail("a directive");
  const StringRef Name = token().Text;
  if (is_contained(Linkages, Name)) {
    Lexer.advance();
    return parseLinked(Name);
  }
  if (Name == "entry" || Name == "func" || is_contained(VariableSpaces, Name))
    return parseLinked("");
  Lexer.advance();
  if (Name == "target")
    return parseTarget();
  if (Name == "address_size")
    return expectUnsigned(M.AddressBits, "32 or 64");
  if (Name == "file")
    return parseFile();
  if (Name == "section")
    return parseSection();
  if (Name == "alias")
    return parseAlias();
  if (Name == "loc") {
    PtxFunction Nobody;
    return parseSourceLine(Nobody);
  }
  if (Name == "pragma" && token().K == PtxToken::Kind::String) {
    M.Pragmas.push_back(token().Text);
    Lexer.advance();
    return expect(';');
  }
  return fail("a known directive before this");
}

Expected<PtxModule> PtxParser::parse() {
  auto Failed = [&] { return createStringError(Problem); };
  if (!isDirective("version")) {
    fail("'.version', with which PTX begins");
    return Failed();
  }
  Lexer.advance();
  if (token().K != PtxToken::Kind::Float) {
    fail("a version such as 8.0");
    return Failed();
  }
  M.Version = token().Text;
  Lexer.advance();
  while (token().K != PtxToken::Kind::End)
    if (!parseTopLevel())
      return Failed();
  if (M.Architecture.empty()) {
    fail("'.target'");
    return Failed();
  }
  return std::move(M);
}

Expected<PtxModule> gpuocc::parsePtx(StringRef Text, StringRef FileName) {
  return PtxParser(Text, FileName).parse();
}
