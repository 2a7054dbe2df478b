//===- ShortenConstants.cpp - Constants of float in code of float ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// True for a decimal constant of type double.
static bool isDoubleConstant(StringRef Word) {
  if (Word.empty() || (!isDigit(Word.front()) && Word.front() != '.') ||
      Word.starts_with_insensitive("0x"))
    return false;
  return Word.find_first_of(".eE") != StringRef::npos &&
         (isDigit(Word.back()) || Word.back() == '.');
}

/// What writes the constants of double on \p Lines of \p P, from 0, as
/// constants of float.
static Cure shortened(const Patient &P, const std::set<unsigned> &Lines) {
  Cure C;
  std::vector<std::string> Titles;
  for (unsigned Line : Lines) {
    const auto [First, End] = P.wordsOfLine(Line);
    for (size_t I = First; I != End; ++I)
      if (StringRef Word = P.Words.word(I); isDoubleConstant(Word)) {
        if (std::string Title = Word.str() + "f"; !is_contained(Titles, Title))
          Titles.push_back(std::move(Title));
        C.Edits.push_back({P.Words[I].Offset + P.Words[I].Length, 0, "f"});
      }
  }
  C.Title = "write " + join(Titles, ", ") + " instead of double";
  return C;
}

/// The lines, from 0, where the kernel of \p P makes float values double.
static std::set<unsigned> linesOfConversions(const Patient &P) {
  const KernelFacts &Facts = P.What.Kernel->Facts;
  std::set<unsigned> Lines;
  for (const Operation &O : Facts.Operations) {
    if (O.Location >= Facts.Locations.size() ||
        none_of(O.Emits, [](const Emission &E) {
          return E.Class == InstClass::CvtF64F32;
        }))
      continue;
    if (std::optional<llvm::lsp::Range> At =
            P.Shown.rangeOf(placeToShow(Facts.Locations[O.Location])))
      Lines.insert(unsigned(At->start.line));
  }
  return Lines;
}

std::vector<Cure> editor::shortenConstants(const Patient &P) {
  std::vector<Cure> Cures = {shortened(P, {P.Line})};
  if (std::set<unsigned> Lines = linesOfConversions(P); Lines.size() > 1)
    Cures.push_back(shortened(P, Lines));
  erase_if(Cures, [](const Cure &C) { return C.Edits.empty(); });
  return Cures;
}
