//===- SplitReport.cpp - The kernels of a report's text -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitReport.h"
#include "gpuocc/Support/JSONMembers.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

std::optional<SplitReport> gpuocc::splitReport(StringRef Text) {
  constexpr unsigned InRoot = 1, InArray = 2, InElement = 3;
  SplitReport Out;
  std::vector<StringRef> *Array = nullptr;
  unsigned Depth = 0;
  size_t Copied = 0, Element = 0, NumCommas = 0;
  StringRef Key;
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    const bool IsBetween = Array && Depth == InArray;
    if (C == '"') {
      const size_t End = endOfJSONString(Text, I);
      if (End == StringRef::npos || IsBetween)
        return std::nullopt;
      if (Depth == InRoot)
        Key = Text.slice(I + 1, End);
      I = End;
    } else if (C == '{' || C == '[') {
      ++Depth;
      if (Depth == InArray && C == '[' && (Array = Out.arrayOf(Key))) {
        Out.Rest += Text.slice(Copied, I + 1);
        NumCommas = 0;
      } else if (Depth == InElement && Array) {
        Element = I;
      }
    } else if (C == '}' || C == ']') {
      if (Depth == InElement && Array)
        Array->push_back(Text.slice(Element, I + 1));
      if (IsBetween) {
        if (NumCommas + 1 != std::max<size_t>(Array->size(), 1))
          return std::nullopt;
        Copied = I;
        Array = nullptr;
      }
      if (Depth-- == 0)
        return std::nullopt;
    } else if (IsBetween && C == ',') {
      ++NumCommas;
    } else if (IsBetween && !isSpace(C)) {
      return std::nullopt;
    }
  }
  Out.Rest += Text.substr(Copied);
  return Out;
}
