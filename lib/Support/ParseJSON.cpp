//===- ParseJSON.cpp - JSON of any depth, read without harm ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/ParseJSON.h"

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned MostLevels = 2000;

/// True if brackets outside of strings are nested deeper than MostLevels.
static bool isTooDeep(StringRef Text) {
  unsigned Levels = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (InString && C == '\\')
      ++I;
    else if (C == '"')
      InString = !InString;
    else if (InString)
      continue;
    else if (C == '[' || C == '{')
      ++Levels;
    else if (C == ']' || C == '}')
      Levels -= Levels != 0;
    if (Levels > MostLevels)
      return true;
  }
  return false;
}

Expected<json::Value> gpuocc::parseJSON(StringRef Text) {
  if (isTooDeep(Text))
    return createStringError("JSON is nested deeper than " + Twine(MostLevels) +
                             " levels");
  return json::parse(Text);
}
