//===- MultiplyPowers.cpp - Products instead of whole powers --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "SourceText.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// The power that \p Text writes, if it is a whole one that few
/// multiplications compute; 0 otherwise.
static unsigned wholePower(StringRef Text) {
  return StringSwitch<unsigned>(Text.rtrim("fF"))
      .Cases({"2", "2.", "2.0"}, 2)
      .Cases({"3", "3.", "3.0"}, 3)
      .Cases({"4", "4.", "4.0"}, 4)
      .Default(0);
}

/// True where \p Text can be written several times: it calls and changes
/// nothing.
static bool canRepeat(StringRef Text) {
  return !Text.empty() && !Text.contains("++") && !Text.contains("--") &&
         Text.find_first_of("=(){};\n") == StringRef::npos;
}

std::vector<Cure> editor::multiplyPowers(const Patient &P) {
  Cure C;
  const auto [First, End] = P.wordsOfLine();
  for (size_t I = First; I != End; ++I) {
    StringRef Word = P.Words.word(I);
    const size_t From = P.Words[I].Offset, Open = From + Word.size();
    StringRef Text = P.Words.text();
    if ((Word != "pow" && Word != "powf") || Open >= Text.size() ||
        Text[Open] != '(')
      continue;
    const std::optional<std::vector<TextRange>> Arguments =
        listAt(Text, Open + 1);
    if (!Arguments || Arguments->size() != 2)
      continue;
    StringRef Base = (*Arguments)[0].of(Text);
    const unsigned Power = wholePower((*Arguments)[1].of(Text));
    if (Power == 0 || !canRepeat(Base))
      continue;
    const std::string Factor = isName(Base) || Base.ends_with("]")
                                   ? Base.str()
                                   : "(" + Base.str() + ")";
    std::string Product = "(" + Factor;
    for (unsigned N = 1; N != Power; ++N)
      Product += " * " + Factor;
    const size_t Close = Text.find(')', (*Arguments)[1].To);
    C.Edits.push_back({From, Close + 1 - From, Product + ")"});
  }
  if (C.Edits.empty())
    return {};
  C.Title = "write whole powers as products";
  return {std::move(C)};
}
