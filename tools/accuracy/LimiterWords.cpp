//===- LimiterWords.cpp - Limits in words of counters ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LimiterWords.h"

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::limiterWord(StringRef TruthLimiter) {
  auto [Side, What] = TruthLimiter.split(": ");
  if (Side == "latency")
    return Side;
  // The last word is a percentage.
  return What.rsplit(' ').first;
}

bool gpuocc::limitersAgree(StringRef TruthLimiter, Resource Predicted) {
  struct Row {
    StringLiteral Word;
    Resource What;
  };
  static constexpr Row Rows[] = {
#define LIMITER_WORD(Word, What) {Word, Resource::What},
#include "LimiterWords.def"
  };
  StringRef Word = limiterWord(TruthLimiter);
  for (const Row &R : Rows)
    if (R.Word == Word && R.What == Predicted)
      return true;
  return false;
}
