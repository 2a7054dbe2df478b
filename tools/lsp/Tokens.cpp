//===- Tokens.cpp - The words of a source ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace gpuocc::editor;
using namespace llvm;

static bool isWordCharacter(char C) {
  return isAlnum(C) || C == '_' || C == '$' || (C & 0x80) != 0;
}

namespace {

/// Splits a text into words, as the raw lexer of a compiler does.
class Splitter {
public:
  Splitter(StringRef Text, std::vector<Token> &Out) : Text(Text), Out(Out) {}

  void run() {
    while (At < Text.size())
      step();
    endLine();
  }

private:
  char look(size_t Ahead = 0) const {
    return At + Ahead < Text.size() ? Text[At + Ahead] : '\0';
  }

  void step() {
    const char C = look();
    if (C == '\n' || C == '\r') {
      endLine();
      ++At;
    } else if (isSpace(C) || skipContinuation()) {
      if (isSpace(C))
        ++At;
      AfterBlank = true;
    } else if (addInstruction() || skipComment()) {
      AfterBlank = true;
    } else {
      addWord();
    }
  }

  void endLine() {
    if (InDirective)
      Out.push_back({uint32_t(At), 0, true});
    InDirective = false;
    AtLineStart = true;
    AfterBlank = false;
  }

  bool skipContinuation() {
    if (look() != '\\' || (look(1) != '\n' && look(1) != '\r'))
      return false;
    At += look(1) == '\r' && look(2) == '\n' ? 3 : 2;
    return true;
  }

  bool skipComment() {
    if (look() != '/')
      return false;
    if (look(1) == '*') {
      const size_t End = Text.find("*/", At + 2);
      At = End == StringRef::npos ? Text.size() : End + 2;
      return true;
    }
    if (look(1) != '/')
      return false;
    while (At < Text.size() && look() != '\n' && look() != '\r')
      if (!skipContinuation())
        ++At;
    return true;
  }

  /// A comment that suppresses findings is part of what is said: a word.
  bool addInstruction() {
    const size_t Start = At;
    if (!skipComment())
      return false;
    const bool Counts = Text.slice(Start, At).contains("NOLINT");
    if (Counts)
      Out.push_back({uint32_t(Start), uint32_t(At - Start), false});
    else
      At = Start;
    return Counts;
  }

  void addWord() {
    const size_t Start = At;
    if (AtLineStart && look() == '#')
      InDirective = true;
    skipWord();
    Out.push_back(
        {uint32_t(Start), uint32_t(At - Start), InDirective && AfterBlank});
    AtLineStart = AfterBlank = false;
  }

  void skipWord() {
    if (isDigit(look()) || (look() == '.' && isDigit(look(1))))
      return skipNumber();
    const size_t Start = At;
    while (isWordCharacter(look()))
      ++At;
    StringRef Prefix = Text.slice(Start, At);
    if (look() == '"' && Prefix.ends_with("R") && Prefix.size() <= 3)
      return skipRawString();
    if ((look() == '"' || look() == '\'') && Prefix.size() <= 2)
      return skipLiteral(look());
    if (Start == At)
      skipSigns();
  }

  void skipNumber() {
    while (isWordCharacter(look()) || look() == '.' ||
           (look() == '\'' && isAlnum(look(1))) ||
           ((look() == '+' || look() == '-') &&
            StringRef("eEpP").contains(Text[At - 1])))
      ++At;
  }

  void skipLiteral(char Quote) {
    for (++At; At < Text.size() && look() != Quote && look() != '\n'; ++At)
      if (look() == '\\')
        ++At;
    At = std::min(At + 1, Text.size());
  }

  void skipRawString() {
    const size_t Open = Text.find('(', At);
    if (Open == StringRef::npos)
      return skipLiteral('"');
    const std::string End = (")" + Text.slice(At + 1, Open) + "\"").str();
    const size_t Close = Text.find(End, Open);
    At = Close == StringRef::npos ? Text.size() : Close + End.size();
  }

  void skipSigns() {
    do
      ++At;
    while (At < Text.size() && isPunct(look()) && !isWordCharacter(look()) &&
           look() != '"' && look() != '\'' && look() != '\\' &&
           !(look() == '/' && (look(1) == '/' || look(1) == '*')));
  }

  StringRef Text;
  std::vector<Token> &Out;
  size_t At = 0;
  bool InDirective = false, AtLineStart = true, AfterBlank = false;
};

} // namespace

TokenList::TokenList(std::shared_ptr<const std::string> TheText)
    : Text(std::move(TheText)) {
  Splitter(*Text, Tokens).run();
}

std::optional<size_t> TokenList::at(size_t Offset) const {
  const auto Next = upper_bound(
      Tokens, Offset, [](size_t O, const Token &T) { return O < T.Offset; });
  if (Next == Tokens.begin())
    return std::nullopt;
  return size_t(Next - Tokens.begin()) - 1;
}

size_t TokenList::firstWordIn(size_t From, size_t To) const {
  const auto Next = lower_bound(
      Tokens, From, [](const Token &T, size_t O) { return T.Offset < O; });
  return Next != Tokens.end() && Next->Offset < To ? Next->Offset : From;
}

uint64_t TokenList::hash() const {
  std::string Words;
  for (size_t I = 0; I != size(); ++I) {
    Words += word(I);
    Words += Tokens[I].IsApart ? '\1' : '\0';
  }
  return xxh3_64bits(Words);
}

PlaceMap::PlaceMap(const TokenList &From, const TokenList &To)
    : From(&From), To(&To) {
  auto IsSame = [&](size_t I, size_t J) {
    return From[I].IsApart == To[J].IsApart && From.word(I) == To.word(J);
  };
  const size_t Most = std::min(From.size(), To.size());
  while (Front != Most && IsSame(Front, Front))
    ++Front;
  while (Back != Most - Front &&
         IsSame(From.size() - 1 - Back, To.size() - 1 - Back))
    ++Back;
}

std::optional<size_t> PlaceMap::map(size_t Offset) const {
  const std::optional<size_t> Index = From->at(Offset);
  if (!Index)
    return std::nullopt;
  size_t Other = *Index;
  if (*Index >= From->size() - Back)
    Other = *Index + To->size() - From->size();
  else if (*Index >= Front)
    return std::nullopt;
  // Places between words are those of the word in front of them.
  const Token &Old = (*From)[*Index];
  const size_t Inside = Offset - Old.Offset;
  return (*To)[Other].Offset + (Inside < Old.Length ? Inside : 0);
}
