//===- Lexer.cpp - Words of PTX -------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace gpuocc;
using namespace llvm;

static bool startsWord(char C) {
  return isAlpha(C) || C == '_' || C == '$' || C == '%';
}
static bool isInWord(char C) { return startsWord(C) || isDigit(C); }

/// Characters of the word that \p Text begins with: dots and "::" belong to it
/// where something follows them.
static size_t wordLength(StringRef Text, bool WithDots = true) {
  size_t I = 0;
  while (I < Text.size()) {
    if (isInWord(Text[I]))
      ++I;
    else if (WithDots && Text[I] == '.' && I + 1 < Text.size() &&
             isInWord(Text[I + 1]))
      I += 2;
    else if (Text.substr(I).starts_with("::") && I + 2 < Text.size() &&
             isInWord(Text[I + 2]))
      I += 3;
    else
      break;
  }
  return I;
}

void PtxLexer::countLines(StringRef Skipped) {
  const size_t Last = Skipped.rfind('\n');
  if (Last == StringRef::npos)
    return;
  Line += unsigned(Skipped.count('\n'));
  LineBegin = Skipped.data() + Last + 1;
}

void PtxLexer::skipSpace() {
  Comment = StringRef();
  bool SameLine = true;
  while (!Rest.empty()) {
    const size_t Blank = Rest.find_first_not_of(" \t\r\v\f");
    Rest = Rest.drop_front(std::min(Blank, Rest.size()));
    if (Rest.starts_with("\n")) {
      SameLine = false;
      countLines(Rest.take_front(1));
      Rest = Rest.drop_front();
    } else if (Rest.starts_with("//")) {
      const StringRef Line = Rest.take_until([](char C) { return C == '\n'; });
      if (SameLine && Comment.empty())
        Comment = Line.drop_front(2).trim();
      Rest = Rest.drop_front(Line.size());
    } else if (Rest.starts_with("/*")) {
      const size_t Close = Rest.find("*/", 2);
      if (Close == StringRef::npos)
        return;
      countLines(Rest.take_front(Close));
      Rest = Rest.drop_front(Close + 2);
    } else {
      return;
    }
  }
}

void PtxLexer::finish(PtxToken::Kind K, size_t Length) {
  Current.K = K;
  Current.Text = Rest.take_front(Length);
  Rest = Rest.drop_front(Length);
}

/// "12", "0x1F", "017", "0b11", with "U" behind them; "0f3F800000", "0d...",
/// "1.5e3".
void PtxLexer::lexNumber() {
  using Kind = PtxToken::Kind;
  if (Rest.size() > 2 && Rest[0] == '0' &&
      StringRef("fFdD").contains(Rest[1])) {
    const unsigned Digits = StringRef("fF").contains(Rest[1]) ? 8 : 16;
    StringRef Hex = Rest.substr(2, Digits);
    if (Hex.size() != Digits || Hex.getAsInteger(16, Current.Number))
      return finish(Kind::Bad, 2);
    Current.FloatBits = uint8_t(Digits * 4);
    return finish(Kind::Float, 2 + Digits);
  }
  size_t Length = Rest.find_if_not(
      [](char C) { return isAlnum(C) || C == '.' || C == '_'; });
  Length = std::min(Length, Rest.size());
  StringRef Text = Rest.take_front(Length);
  const bool IsHex = Text.starts_with_insensitive("0x");
  if (!IsHex && Text.find_first_of(".eE") != StringRef::npos) {
    // The sign of an exponent.
    if (StringRef("eE").contains(Text.back()) && Length + 1 < Rest.size() &&
        StringRef("+-").contains(Rest[Length])) {
      Length += 1 + Rest.substr(Length + 1).find_if_not(isDigit);
      Text = Rest.take_front(Length);
      Length = Text.size();
    }
    APFloat Value(APFloat::IEEEdouble());
    Expected<APFloat::opStatus> Status =
        Value.convertFromString(Text, APFloat::rmNearestTiesToEven);
    if (!Status) {
      consumeError(Status.takeError());
      return finish(Kind::Bad, Length);
    }
    Current.Number = Value.bitcastToAPInt().getZExtValue();
    Current.FloatBits = 64;
    return finish(Kind::Float, Length);
  }
  StringRef Digits = Text;
  if (Digits.ends_with_insensitive("u"))
    Digits = Digits.drop_back();
  if (Digits.getAsInteger(0, Current.Number))
    return finish(Kind::Bad, Length);
  finish(Kind::Integer, Length);
}

void PtxLexer::advance() {
  using Kind = PtxToken::Kind;
  skipSpace();
  Current = PtxToken();
  if (Rest.empty())
    return finish(Kind::End, 0);
  const char C = Rest.front();
  if (startsWord(C))
    return finish(Kind::Word, wordLength(Rest));
  if (C == '.' && Rest.size() > 1 && startsWord(Rest[1])) {
    Rest = Rest.drop_front();
    return finish(Kind::Directive, wordLength(Rest, /*WithDots=*/false));
  }
  if (isDigit(C))
    return lexNumber();
  if (C == '"') {
    const size_t Close = Rest.find_first_of("\"\n", 1);
    if (Close == StringRef::npos || Rest[Close] == '\n')
      return finish(Kind::Bad, 1);
    Rest = Rest.drop_front();
    finish(Kind::String, Close - 1);
    Rest = Rest.drop_front();
    return;
  }
  if (StringRef("@!{}()[]<>,;:+-|=*").contains(C))
    return finish(Kind::Sign, 1);
  finish(Kind::Bad, 1);
}

PtxPlace PtxLexer::place() const {
  const char *At =
      Current.K == PtxToken::Kind::End ? Rest.data() : Current.Text.data();
  if (Current.K == PtxToken::Kind::Directive ||
      Current.K == PtxToken::Kind::String)
    --At;
  return {Line, unsigned(At - LineBegin) + 1};
}

/// Moves on to the closing brace of this level, or a semicolon outside of
/// braces.
bool PtxLexer::skipBalanced(bool UntilSemicolon) {
  unsigned Depth = 0;
  for (;; advance()) {
    if (Current.K == PtxToken::Kind::End || Current.K == PtxToken::Kind::Bad)
      return false;
    if (Current.isSign('{'))
      ++Depth;
    else if (Current.isSign('}') && Depth == 0)
      return !UntilSemicolon;
    else if (Current.isSign('}'))
      --Depth;
    else if (UntilSemicolon && Depth == 0 && Current.isSign(';'))
      return true;
  }
}

/// Text between the beginning of token \p From and that of token \p To.
static StringRef between(const PtxToken &From, const PtxToken &To) {
  const char *Begin = From.Text.data();
  if (From.K == PtxToken::Kind::Directive || From.K == PtxToken::Kind::String)
    --Begin;
  return StringRef(Begin, size_t(To.Text.data() - Begin)).rtrim();
}

StringRef PtxLexer::takeToClosingBrace() {
  const PtxToken First = Current;
  return skipBalanced(/*UntilSemicolon=*/false) ? between(First, Current)
                                                : StringRef();
}

StringRef PtxLexer::takeToSemicolon() {
  const PtxToken First = Current;
  return skipBalanced(/*UntilSemicolon=*/true) ? between(First, Current)
                                               : StringRef();
}
