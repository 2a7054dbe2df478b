//===- Plural.cpp - Nouns behind numbers ----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Plural.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static std::string inflected(bool IsOne, StringRef Noun) {
  if (IsOne)
    return Noun.str();
  static constexpr StringLiteral Hissing[] = {"s", "x", "ch", "sh"};
  const bool Hisses =
      any_of(Hissing, [&](StringRef End) { return Noun.ends_with(End); });
  return Noun.str() + (Hisses ? "es" : "s");
}

std::string gpuocc::plural(double Count, StringRef Noun) {
  return inflected(Count == 1, Noun);
}

std::string gpuocc::plural(StringRef Shown, StringRef Noun) {
  return inflected(Shown == "1", Noun);
}
