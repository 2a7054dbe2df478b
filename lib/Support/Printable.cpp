//===- Printable.cpp - Text from elsewhere, for a terminal ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// The character at the start of \p Text, which is taken off; nothing where
/// there is none in UTF-8.
static std::optional<UTF32> takeCharacter(StringRef &Text) {
  const UTF8 *Begin = Text.bytes_begin(), *At = Begin;
  UTF32 Character = 0;
  if (convertUTF8Sequence(&At, Text.bytes_end(), &Character,
                          strictConversion) != conversionOK)
    return std::nullopt;
  Text = Text.drop_front(size_t(At - Begin));
  return Character;
}

static std::string escaped(StringRef Text, StringRef Kept) {
  if (all_of(Text, [](char C) { return isPrint(C); }))
    return Text.str();
  std::string Out;
  raw_string_ostream OS(Out);
  while (!Text.empty()) {
    const StringRef Rest = Text;
    if (std::optional<UTF32> Character = takeCharacter(Text)) {
      const StringRef Bytes = Rest.drop_back(Text.size());
      if (sys::unicode::isPrintable(int(*Character)) || Kept.contains(Bytes)) {
        OS << Bytes;
        continue;
      }
      if (*Character > 0xFF) {
        OS << "\\u{" << utohexstr(*Character) << '}';
        continue;
      }
    } else {
      Text = Text.drop_front();
    }
    for (char Byte : Rest.drop_back(Text.size()))
      OS << "\\x" << hexdigit((Byte >> 4) & 15) << hexdigit(Byte & 15);
  }
  return Out;
}

std::string gpuocc::printable(StringRef Text) { return escaped(Text, ""); }

std::string gpuocc::printableLines(StringRef Text) {
  return escaped(Text, "\n\t");
}
