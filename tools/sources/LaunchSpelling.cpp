//===- LaunchSpelling.cpp - Launches that nvcc takes and clang not --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchSpelling.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Where three times \p Bracket with space between them end that start at
/// \p Start; npos where there are fewer, or none has space around it.
static size_t endOfSpaced(StringRef Text, size_t Start, char Bracket) {
  size_t At = Start;
  for (unsigned I = 0; I != 3; ++I) {
    while (I != 0 && At < Text.size() && isSpace(Text[At]))
      ++At;
    if (At == Text.size() || Text[At] != Bracket)
      return StringRef::npos;
    ++At;
  }
  return At - Start == 3 ? StringRef::npos : At;
}

/// Puts the brackets of [\p Start, \p End) side by side and spaces behind them;
/// ends of lines stay where they are.
static void join(std::string &Text, size_t Start, size_t End, char Bracket) {
  std::string Piece = Text.substr(Start, End - Start);
  if (Piece.find('\n') != std::string::npos)
    return;
  std::fill(Piece.begin(), Piece.end(), ' ');
  std::fill_n(Piece.begin(), 3, Bracket);
  Text.replace(Start, Piece.size(), Piece);
}

std::optional<std::string> gpuocc::respellLaunchesIn(StringRef Source) {
  std::string Text = Source.str();
  bool IsChanged = false;
  for (size_t At = Text.find('<'); At != std::string::npos;
       At = Text.find('<', At + 1)) {
    // No expression has three, and no template.
    const size_t End = endOfSpaced(Text, At, '<');
    if (End != StringRef::npos) {
      join(Text, At, End, '<');
      IsChanged = true;
    }
    if (StringRef(Text).substr(At, 3) != "<<<")
      continue;
    // The configuration ends with the first three outside of parentheses.
    unsigned Depth = 0;
    for (At += 3; At < Text.size() && Text[At] != ';'; ++At) {
      Depth += Text[At] == '(';
      Depth -= Text[At] == ')' && Depth != 0;
      if (Depth != 0 || Text[At] != '>')
        continue;
      if (StringRef(Text).substr(At, 3) == ">>>")
        break;
      const size_t Close = endOfSpaced(Text, At, '>');
      if (Close == StringRef::npos)
        continue;
      join(Text, At, Close, '>');
      IsChanged = true;
      break;
    }
    if (At >= Text.size())
      break;
  }
  return IsChanged ? std::optional(std::move(Text)) : std::nullopt;
}

std::optional<std::string> gpuocc::respellLaunches(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? respellLaunchesIn((*Buffer)->getBuffer()) : std::nullopt;
}
