//===- SourceText.cpp - Pieces of C++ by their words ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

bool editor::isOfWord(char C) { return isAlnum(C) || C == '_' || (C & 0x80); }

bool editor::isName(StringRef Word) {
  return !Word.empty() && !isDigit(Word.front()) &&
         all_of(Word, [](char C) { return isAlnum(C) || C == '_'; });
}

TextRange editor::trimmed(StringRef Text, TextRange R) {
  while (R.From < R.To && isSpace(Text[R.From]))
    ++R.From;
  while (R.To > R.From && isSpace(Text[R.To - 1]))
    --R.To;
  return R;
}

std::optional<std::vector<TextRange>>
editor::listAt(StringRef Text, size_t From, StringRef Closer) {
  std::vector<TextRange> Out;
  unsigned Depth = 0;
  size_t Start = From;
  for (size_t At = From; At < Text.size(); ++At) {
    const char C = Text[At];
    const bool Ends =
        Depth == 0 && (Closer.empty() ? StringRef(")]}").contains(C)
                                      : Text.substr(At).starts_with(Closer));
    if (Ends || (Depth == 0 && C == ',')) {
      Out.push_back(trimmed(Text, {Start, At}));
      Start = At + 1;
    }
    if (Ends)
      return Out;
    if (StringRef("([{").contains(C))
      ++Depth;
    else if (StringRef(")]}").contains(C)) {
      if (Depth-- == 0)
        return std::nullopt;
    }
  }
  return std::nullopt;
}

std::vector<size_t> editor::placesOf(StringRef Text, StringRef Name) {
  std::vector<size_t> Out;
  for (size_t At = Text.find(Name); At != StringRef::npos;
       At = Text.find(Name, At + 1)) {
    const size_t End = At + Name.size();
    if ((At == 0 || !isOfWord(Text[At - 1])) &&
        (End == Text.size() || !isOfWord(Text[End])))
      Out.push_back(At);
  }
  return Out;
}

std::vector<TextRange> editor::numbersIn(StringRef Text, TextRange R,
                                         uint64_t Value) {
  std::vector<TextRange> Out;
  for (size_t At = R.From; At < R.To;) {
    if (!isOfWord(Text[At])) {
      ++At;
      continue;
    }
    TextRange Word{At, At};
    while (Word.To < R.To && isOfWord(Text[Word.To]))
      ++Word.To;
    At = Word.To;
    const TextRange Digits{Word.From,
                           Word.From + Word.of(Text).rtrim("uUlLzZ").size()};
    uint64_t Number = 0;
    if (!Digits.of(Text).getAsInteger(10, Number) && Number == Value)
      Out.push_back(Digits);
  }
  return Out;
}

/// The expression that stands behind a name which ends at \p At and is defined
/// there.
static std::optional<TextRange> initializerAt(StringRef Text, size_t At,
                                              bool IsMacro) {
  if (IsMacro) {
    const size_t End = std::min(Text.find('\n', At), Text.size());
    const TextRange R = trimmed(Text, {At, End});
    return R.From != R.To ? std::optional(R) : std::nullopt;
  }
  while (At < Text.size() && isSpace(Text[At]))
    ++At;
  StringRef Rest = Text.substr(At);
  if (Rest.starts_with("=") && !Rest.starts_with("==")) {
    const size_t End = Text.find_first_of(";", At);
    if (End == StringRef::npos)
      return std::nullopt;
    return trimmed(Text, {At + 1, End});
  }
  if (!Rest.starts_with("(") && !Rest.starts_with("{"))
    return std::nullopt;
  std::optional<std::vector<TextRange>> List = listAt(Text, At + 1);
  if (!List)
    return std::nullopt;
  return TextRange{List->front().From, List->back().To};
}

std::optional<TextRange> editor::definitionOf(StringRef Text, StringRef Name,
                                              size_t Before) {
  std::optional<TextRange> Last;
  for (size_t At : placesOf(Text, Name)) {
    if (At >= Before)
      break;
    StringRef Line = Text.take_front(At).rsplit('\n').second;
    if (Line.empty())
      Line = Text.take_front(At);
    const bool IsMacro = Line.trim() == "#define";
    // A definition has its type in front.
    StringRef Type = Line.rtrim();
    if (!IsMacro &&
        (Type.empty() || !isOfWord(Type.back()) || Type.ends_with("return")))
      continue;
    if (std::optional<TextRange> R =
            initializerAt(Text, At + Name.size(), IsMacro))
      Last = R;
  }
  return Last;
}

std::optional<size_t> editor::closerOf(StringRef Text, size_t From, char Open,
                                       char Close) {
  unsigned Depth = 1;
  for (size_t At = From; At < Text.size(); ++At)
    if (Text[At] == Open)
      ++Depth;
    else if (Text[At] == Close && --Depth == 0)
      return At;
  return std::nullopt;
}

std::optional<FunctionText> editor::functionIn(StringRef Text, StringRef Name) {
  for (size_t At : placesOf(Text, Name)) {
    const size_t Open = At + Name.size();
    if (Open == Text.size() || Text[Open] != '(')
      continue;
    std::optional<std::vector<TextRange>> Parameters = listAt(Text, Open + 1);
    std::optional<size_t> Close = closerOf(Text, Open + 1, '(', ')');
    if (!Parameters || !Close)
      continue;
    // A definition has a body.
    StringRef Behind = Text.drop_front(*Close + 1).ltrim();
    if (!Behind.starts_with("{"))
      continue;
    const size_t Brace = size_t(Behind.data() - Text.data()) + 1;
    if (std::optional<size_t> End = closerOf(Text, Brace, '{', '}'))
      return FunctionText{std::move(*Parameters), {Brace, *End}};
  }
  return std::nullopt;
}

std::vector<LaunchWords> editor::launchesIn(StringRef Text, StringRef Kernel) {
  constexpr StringLiteral Opener = "<<<";
  std::vector<LaunchWords> Out;
  for (size_t At : placesOf(Text, Kernel)) {
    const size_t Open = Text.find(Opener, At);
    if (Open == StringRef::npos)
      break;
    // Between them only template arguments.
    if (Text.slice(At, Open).find_first_of(";{}") != StringRef::npos)
      continue;
    std::optional<std::vector<TextRange>> Arguments =
        listAt(Text, Open + Opener.size(), ">>>");
    if (Arguments && Arguments->size() >= 2)
      Out.push_back({(*Arguments)[0], (*Arguments)[1]});
  }
  return Out;
}
