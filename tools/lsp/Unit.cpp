//===- Unit.cpp - What is known of one compiled file ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "SourceText.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

ShownFile::ShownFile(StringRef File, const Document &Text,
                     const AnalysisResult &Of)
    : File(File), Text(Text) {
  const auto Found = Of.Words.find(this->File);
  if (Found == Of.Words.end())
    return;
  Then = Found->second;
  Now.emplace(Text.sharedText());
  TextThen.emplace(Then->text().str());
}

bool ShownFile::contains(const SourcePlace &Place) const {
  return Place.isValid() && absolutePath(Place.File) == File;
}

/// The end of the word that starts at \p From.
static size_t endOfWord(StringRef Text, size_t From) {
  size_t End = From;
  while (End < Text.size() && isOfWord(Text[End]))
    ++End;
  return End == From && From < Text.size() ? From + 1 : End;
}

/// The offset of \p Line and \p Column, as the compiler counts them, in \p
/// Text, whose words are \p Words. Column 0 is the first word of the line,
/// which can stand behind a comment.
static size_t offsetOfPlace(const Document &Text, const TokenList &Words,
                            unsigned Line, unsigned Column) {
  const size_t Offset = Text.offsetOf(Line, Column);
  return Column == 0
             ? Words.firstWordIn(Offset, Text.offsetOf(Line + 1, /*Column=*/1))
             : Offset;
}

std::optional<lsp::Range> ShownFile::rangeOf(const SourcePlace &Place) const {
  if (!contains(Place))
    return std::nullopt;
  size_t Offset = 0;
  if (!Then) {
    Offset = Text.offsetOf(Place.Line, Place.Column);
  } else {
    std::optional<size_t> Mapped =
        PlaceMap(*Then, *Now)
            .map(offsetOfPlace(*TextThen, *Then, Place.Line, Place.Column));
    if (!Mapped)
      return std::nullopt;
    Offset = *Mapped;
  }
  return lsp::Range(Text.positionOf(Offset),
                    Text.positionOf(endOfWord(Text.text(), Offset)));
}

std::optional<unsigned> ShownFile::analyzedLine(lsp::Position P) const {
  if (!Then)
    return unsigned(P.line) + 1;
  StringRef Line = Text.line(unsigned(P.line));
  if (Line.trim().empty())
    return std::nullopt;
  // Any word of the line will do.
  const size_t Offset =
      offsetOfPlace(Text, *Now, unsigned(P.line) + 1, /*Column=*/0);
  std::optional<size_t> Mapped = PlaceMap(*Now, *Then).map(Offset);
  if (!Mapped)
    return std::nullopt;
  return unsigned(TextThen->positionOf(*Mapped).line) + 1;
}
