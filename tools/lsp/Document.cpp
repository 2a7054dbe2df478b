//===- Document.cpp - A text as the editor has it -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Document.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc::editor;
using namespace llvm;

Document::Document(std::string Text)
    : Text(std::make_shared<const std::string>(std::move(Text))) {
  findLines();
}

void Document::findLines() {
  Starts = {0};
  for (size_t I = 0; I != Text->size(); ++I) {
    const bool IsEnd =
        (*Text)[I] == '\n' || ((*Text)[I] == '\r' && (*Text)[I + 1] != '\n');
    if (IsEnd)
      Starts.push_back(I + 1);
  }
}

StringRef Document::line(unsigned Index) const {
  if (Index >= Starts.size())
    return "";
  const size_t End =
      Index + 1 < Starts.size() ? Starts[Index + 1] : Text->size();
  StringRef Line = text().slice(Starts[Index], End);
  Line.consume_back("\n");
  Line.consume_back("\r");
  return Line;
}

/// UTF-16 code units of the character of UTF-8 that starts with \p Byte; 0 for
/// bytes inside one.
static unsigned unitsOf(unsigned char Byte) {
  if ((Byte & 0xC0) == 0x80)
    return 0;
  return Byte >= 0xF0 ? 2 : 1;
}

size_t Document::offsetOf(lsp::Position P) const {
  if (P.line < 0)
    return 0;
  if (size_t(P.line) >= Starts.size())
    return Text->size();
  StringRef Line = line(unsigned(P.line));
  size_t Byte = 0;
  for (int Units = 0; Byte != Line.size() && Units < P.character; ++Byte)
    Units += int(unitsOf(static_cast<unsigned char>(Line[Byte])));
  // The rest of the character.
  while (Byte != Line.size() && Byte != 0 &&
         unitsOf(static_cast<unsigned char>(Line[Byte])) == 0)
    ++Byte;
  return Starts[size_t(P.line)] + Byte;
}

lsp::Position Document::positionOf(size_t Offset) const {
  Offset = std::min(Offset, Text->size());
  const auto Next = upper_bound(Starts, Offset);
  const size_t Line = size_t(Next - Starts.begin()) - 1;
  int Units = 0;
  for (char C : text().slice(Starts[Line], Offset))
    Units += int(unitsOf(static_cast<unsigned char>(C)));
  return lsp::Position(int(Line), Units);
}

size_t Document::offsetOf(unsigned Line, unsigned Column) const {
  if (Line == 0)
    return 0;
  if (Line > Starts.size())
    return Text->size();
  StringRef Content = line(Line - 1);
  const size_t InLine = Column == 0 ? Content.size() - Content.ltrim().size()
                                    : size_t(Column) - 1;
  return Starts[Line - 1] + std::min(InLine, Content.size());
}

void Document::apply(const lsp::TextDocumentContentChangeEvent &Change) {
  if (!Change.range) {
    *this = Document(Change.text);
    return;
  }
  const size_t From = offsetOf(Change.range->start);
  const size_t To = std::max(From, offsetOf(Change.range->end));
  *this = Document(
      (text().take_front(From) + Change.text + text().drop_front(To)).str());
}
