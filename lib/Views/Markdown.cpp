//===- Markdown.cpp - Text in tables of Markdown --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Markdown.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::markdownText(StringRef Text) {
  std::string Out;
  for (char C : printable(Text)) {
    if (StringRef("\\`*_[]|~@#").contains(C))
      Out += '\\';
    if (C == '<' || C == '>' || C == '&')
      Out += C == '<' ? "&lt;" : C == '>' ? "&gt;" : "&amp;";
    else
      Out += isPrint(C) || (C & 0x80) ? C : ' ';
  }
  return Out;
}

std::string gpuocc::markdownCode(StringRef Text) {
  // HTML, since code between backticks can hold neither '|' nor backticks.
  return "<code>" + markdownText(Text) + "</code>";
}
