//===- JSONMembers.cpp - Parts of the text of an object -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/JSONMembers.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral Blanks = " \t\r\n";

size_t gpuocc::endOfJSONString(StringRef Text, size_t Begin) {
  size_t End = Begin + 1;
  while (End < Text.size() && Text[End] != '"')
    End += Text[End] == '\\' ? 2 : 1;
  return End < Text.size() ? End : StringRef::npos;
}

/// The index behind the array or object that begins at \p Begin; npos where it
/// does not end.
static size_t endOfNested(StringRef Text, size_t Begin) {
  unsigned Depth = 0;
  for (size_t I = Begin; I < Text.size(); ++I) {
    const char C = Text[I];
    if (C == '"') {
      I = endOfJSONString(Text, I);
      if (I == StringRef::npos)
        return I;
    } else if (C == '{' || C == '[') {
      ++Depth;
    } else if ((C == '}' || C == ']') && --Depth == 0) {
      return I + 1;
    }
  }
  return StringRef::npos;
}

/// The index behind the value that begins at \p Begin.
static size_t endOfValue(StringRef Text, size_t Begin) {
  if (Begin >= Text.size())
    return StringRef::npos;
  if (Text[Begin] == '{' || Text[Begin] == '[')
    return endOfNested(Text, Begin);
  if (Text[Begin] != '"')
    return Text.find_first_of(",}] \t\r\n", Begin);
  const size_t Quote = endOfJSONString(Text, Begin);
  return Quote == StringRef::npos ? Quote : Quote + 1;
}

/// Absent where \p Object is no object.
static std::optional<std::string>
keptMembers(StringRef Object, function_ref<bool(StringRef)> IsWanted) {
  std::string Out = "{";
  size_t At = Object.find_first_not_of(Blanks);
  if (At == StringRef::npos || Object[At] != '{')
    return std::nullopt;
  do {
    const size_t Quote = Object.find_first_not_of(Blanks, At + 1);
    if (Quote == StringRef::npos || Object[Quote] != '"')
      return std::nullopt;
    const size_t EndOfKey = endOfJSONString(Object, Quote);
    const size_t Colon = EndOfKey == StringRef::npos
                             ? EndOfKey
                             : Object.find_first_not_of(Blanks, EndOfKey + 1);
    if (Colon == StringRef::npos || Object[Colon] != ':')
      return std::nullopt;
    const size_t End =
        endOfValue(Object, Object.find_first_not_of(Blanks, Colon + 1));
    if (End == StringRef::npos)
      return std::nullopt;
    if (IsWanted(Object.slice(Quote + 1, EndOfKey))) {
      Out += Out.size() > 1 ? "," : "";
      Out += Object.slice(Quote, End);
    }
    At = Object.find_first_not_of(Blanks, End);
  } while (At != StringRef::npos && Object[At] == ',');
  if (At == StringRef::npos || Object[At] != '}' ||
      Object.find_first_not_of(Blanks, At + 1) != StringRef::npos)
    return std::nullopt;
  return Out + "}";
}

std::string gpuocc::keepMembers(StringRef Object,
                                function_ref<bool(StringRef)> IsWanted) {
  return keptMembers(Object, IsWanted).value_or(Object.str());
}
