//===- ShortenConstants.cpp - Constants of float in code of float ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "gpuocc/Report/Problems.h"
#include "llvm/ADT/StringExtras.h"

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

std::vector<Cure> editor::shortenConstants(const Patient &P) {
  Cure C;
  const auto [First, End] = P.wordsOfLine();
  for (size_t I = First; I != End; ++I)
    if (StringRef Word = P.Words.word(I); isDoubleConstant(Word)) {
      C.Title += (C.Title.empty() ? "write " : ", ") + Word.str() + "f";
      C.Edits.push_back({P.Words[I].Offset + P.Words[I].Length, 0, "f"});
    }
  if (C.Edits.empty())
    return {};
  C.Title += " instead of double";
  return {C};
}
