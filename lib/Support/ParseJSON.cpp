//===- ParseJSON.cpp - JSON of any depth, read without harm ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>
#include <optional>

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned MostLevels = 2000;

/// True if brackets outside of strings are nested deeper than MostLevels.
static bool isTooDeep(StringRef Text) {
  unsigned Levels = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (InString && C == '\\')
      ++I;
    else if (C == '"')
      InString = !InString;
    else if (InString)
      continue;
    else if (C == '[' || C == '{')
      ++Levels;
    else if (C == ']' || C == '}')
      Levels -= Levels != 0;
    if (Levels > MostLevels)
      return true;
  }
  return false;
}

namespace {

/// Reads what tools write. An array that grows copies its elements, since
/// json::Value has no noexcept move: LLVM's parser copies deep documents many
/// times over. This one gives up on anything unusual.
class QuickParser {
public:
  explicit QuickParser(StringRef Text) : Rest(Text) {}

  std::optional<json::Value> run() {
    json::Value Out = nullptr;
    if (!parseValue(Out))
      return std::nullopt;
    skipBlanks();
    if (!Rest.empty())
      return std::nullopt;
    return Out;
  }

private:
  void skipBlanks() { Rest = Rest.ltrim(" \t\r\n"); }

  bool take(char C) {
    skipBlanks();
    return Rest.consume_front(StringRef(&C, 1));
  }

  bool parseValue(json::Value &Out) {
    skipBlanks();
    if (Rest.empty())
      return false;
    switch (Rest.front()) {
    case '{':
      return parseObject(Out);
    case '[':
      return parseArray(Out);
    case '"': {
      std::string Text;
      if (!parseString(Text))
        return false;
      Out = std::move(Text);
      return true;
    }
    case 't':
      Out = true;
      return Rest.consume_front("true");
    case 'f':
      Out = false;
      return Rest.consume_front("false");
    case 'n':
      Out = nullptr;
      return Rest.consume_front("null");
    default:
      return parseNumber(Out);
    }
  }

  bool parseArray(json::Value &Out) {
    Rest = Rest.drop_front();
    SmallVector<json::Value, 8> Elements;
    if (!take(']')) {
      do {
        if (!parseValue(Elements.emplace_back(nullptr)))
          return false;
      } while (take(','));
      if (!take(']'))
        return false;
    }
    json::Array Array;
    Array.reserve(Elements.size());
    for (json::Value &Element : Elements)
      Array.push_back(std::move(Element));
    Out = std::move(Array);
    return true;
  }

  bool parseObject(json::Value &Out) {
    Rest = Rest.drop_front();
    json::Object Object;
    if (!take('}')) {
      do {
        std::string Key;
        skipBlanks();
        if (!parseString(Key) || !take(':') ||
            !parseValue(Object[std::move(Key)]))
          return false;
      } while (take(','));
      if (!take('}'))
        return false;
    }
    Out = std::move(Object);
    return true;
  }

  bool parseString(std::string &Out) {
    if (!Rest.consume_front("\""))
      return false;
    while (true) {
      const size_t Plain = Rest.find_first_of("\"\\");
      if (Plain == StringRef::npos)
        return false;
      Out += Rest.take_front(Plain);
      for (char C : Rest.take_front(Plain))
        if (static_cast<unsigned char>(C) < 0x20)
          return false;
      const bool IsEnd = Rest[Plain] == '"';
      Rest = Rest.drop_front(Plain + 1);
      if (IsEnd)
        return true;
      if (!takeEscape(Out))
        return false;
    }
  }

  /// Behind the backslash; not those of a character by its number.
  bool takeEscape(std::string &Out) {
    static constexpr StringLiteral Names = "\"\\/bfnrt";
    static constexpr StringLiteral Meant = "\"\\/\b\f\n\r\t";
    const size_t Index = Rest.empty() ? StringRef::npos : Names.find(Rest[0]);
    if (Index == StringRef::npos)
      return false;
    Out += Meant[Index];
    Rest = Rest.drop_front();
    return true;
  }

  bool parseNumber(json::Value &Out) {
    StringRef Word = Rest.take_while(
        [](char C) { return isDigit(C) || StringRef("+-.eE").contains(C); });
    Rest = Rest.drop_front(Word.size());
    const char *Begin = Word.begin(), *End = Word.end();
    auto Read = [&](auto &Number) {
      const auto [Stopped, Problem] = std::from_chars(Begin, End, Number);
      return Stopped == End && Problem == std::errc();
    };
    if (int64_t Number = 0; Read(Number)) {
      Out = Number;
      return true;
    }
    if (uint64_t Number = 0; Read(Number)) {
      Out = Number;
      return true;
    }
    double Number = 0;
    if (!Read(Number))
      return false;
    Out = Number;
    return true;
  }

  StringRef Rest;
};

} // namespace

Expected<json::Value> gpuocc::parseJSON(StringRef Text) {
  if (isTooDeep(Text))
    return createStringError("JSON is nested deeper than " + Twine(MostLevels) +
                             " levels");
  if (json::isUTF8(Text))
    if (std::optional<json::Value> Parsed = QuickParser(Text).run())
      return std::move(*Parsed);
  // It says what is wrong, and where.
  return json::parse(Text);
}
