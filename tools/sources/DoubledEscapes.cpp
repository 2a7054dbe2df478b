//===- DoubledEscapes.cpp - Inline assembly as clang takes it -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoubledEscapes.h"
#include "Shortcuts.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

using Place = std::tuple<std::string, unsigned, unsigned>;

/// File, line and column of what \p Errors refuses, and of the macros that it
/// is expanded from.
static std::set<Place> refusedPlaces(StringRef Errors) {
  const Regex Message("^(.*):([0-9]+):([0-9]+): ([a-z ]+: .*)$");
  std::set<Place> Places;
  bool IsRefused = false;
  for (StringRef Text : split(Errors, '\n')) {
    SmallVector<StringRef, 5> Parts;
    if (!Message.match(Text, &Parts))
      continue;
    if (!Parts[4].starts_with("note: expanded from macro"))
      IsRefused = Parts[4].starts_with(
          "error: invalid % escape in inline assembly string");
    unsigned Line, Column;
    if (IsRefused && to_integer(Parts[2], Line) && to_integer(Parts[3], Column))
      Places.insert({Parts[1].str(), Line, Column});
  }
  return Places;
}

/// The offset of \p Line, from 1, in \p Text; npos where it has fewer lines.
static size_t offsetOfLine(StringRef Text, unsigned Line) {
  size_t Offset = 0;
  for (; Line > 1; --Line) {
    const size_t End = Text.find('\n', Offset);
    if (End == StringRef::npos)
      return End;
    Offset = End + 1;
  }
  return Offset;
}

bool DoubledEscapes::doubleAt(StringRef File, unsigned Line, unsigned Column) {
  const std::string Path = absolutePath(File);
  auto Found = Texts.find(Path);
  if (Found == Texts.end()) {
    auto Text = MemoryBuffer::getFile(Path);
    if (!Text)
      return false;
    Found = Texts.emplace(Path, (*Text)->getBuffer().str()).first;
  }
  std::string &Text = Found->second;
  const size_t Start = offsetOfLine(Text, Line);
  if (Start == StringRef::npos || Column == 0)
    return false;
  // Clang names one of the two characters behind it.
  const size_t Named = Start + Column - 1;
  const size_t Percent = StringRef(Text).take_front(Named).rfind('%');
  if (Percent == StringRef::npos || Percent < Start || Named - Percent > 2)
    return false;
  Text.insert(Percent, 1, '%');
  return true;
}

bool DoubledEscapes::take(StringRef Errors) {
  const std::set<Place> Places = refusedPlaces(Errors);
  bool Takes = false;
  // From the end, so that places in front stay where they are.
  for (const auto &[File, Line, Column] : reverse(Places))
    Takes |= doubleAt(File, Line, Column);
  return Takes;
}

Expected<StringRef> DoubledEscapes::write(StringRef Suffix, StringRef Text) {
  Expected<TemporaryFile> File = TemporaryFile::create("gpuocc", Suffix);
  if (!File)
    return File.takeError();
  if (Error E = File->write(Text))
    return std::move(E);
  return Written.emplace_back(std::move(*File)).path();
}

Expected<StringRef> DoubledEscapes::writeOverlay() {
  std::map<std::string, std::string> Copies;
  for (const auto &[File, Text] : Texts) {
    Expected<StringRef> Copy = write("cu", Text);
    if (!Copy)
      return Copy.takeError();
    Copies[File] = Copy->str();
  }
  return write("yaml", overlayText(Copies));
}
