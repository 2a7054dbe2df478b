//===- PadRows.cpp - One element more in each row of a shared array -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "gpuocc/Report/Problems.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// True if the declaration that the word \p Index is part of is of a shared
/// variable.
static bool isInSharedDeclaration(const TokenList &Words, size_t Index) {
  while (Index-- != 0) {
    StringRef Word = Words.word(Index);
    if (Word == "__shared__")
      return true;
    if (Word.find_first_of(";{})=") != StringRef::npos)
      return false;
  }
  return false;
}

/// The offset of the bracket that closes the last extent of the declarator
/// whose name is the word \p Name, if it has two or more extents.
static std::optional<size_t> endOfRow(const TokenList &Words, size_t Name) {
  unsigned Depth = 0, NumExtents = 0;
  std::optional<size_t> Last;
  const size_t From = Words[Name].Offset + Words[Name].Length;
  for (size_t At = From; At != Words.text().size(); ++At) {
    const char C = Words.text()[At];
    if (C == '[') {
      ++Depth;
    } else if (C == ']' && Depth != 0) {
      if (--Depth == 0) {
        ++NumExtents;
        Last = At;
      }
    } else if (Depth == 0 && !isSpace(C)) {
      break;
    }
  }
  return NumExtents >= 2 ? Last : std::nullopt;
}

std::vector<Cure> editor::padRows(const Patient &P) {
  std::vector<Cure> Cures;
  std::set<StringRef> Seen;
  const auto [First, End] = P.wordsOfLine();
  for (size_t I = First; I != End; ++I) {
    StringRef Name = P.Words.word(I);
    if (!Seen.insert(Name).second)
      continue;
    // The declaration above that is nearest.
    for (size_t D = I; D-- != 0;) {
      if (P.Words.word(D) != Name || !isInSharedDeclaration(P.Words, D))
        continue;
      if (std::optional<size_t> Row = endOfRow(P.Words, D))
        Cures.push_back({"pad the rows of '" + Name.str() + "' by one element",
                         {{*Row, 0, " + 1"}}});
      break;
    }
  }
  return Cures;
}
