//===- UnifiedDiffTest.cpp - A patch from one text to another -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lock/UnifiedDiff.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuocc;
using namespace llvm;

namespace {

/// \p Text with \p Patch applied, line by line; nothing where it does not fit.
std::optional<std::string> applied(StringRef Text, StringRef Patch) {
  std::string Out;
  size_t LineOfText = 1;
  auto Copy = [&] {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    ++LineOfText;
    return Line.str();
  };
  while (!Patch.empty()) {
    auto [Line, Rest] = Patch.split('\n');
    Patch = Rest;
    if (Line.starts_with("---") || Line.starts_with("+++"))
      continue;
    if (Line.consume_front("@@ -")) {
      size_t First = 0, Count = 0;
      if (Line.consumeInteger(10, First) || !Line.consume_front(",") ||
          Line.consumeInteger(10, Count))
        return std::nullopt;
      while (LineOfText < First + (Count == 0))
        Out += Copy() + "\n";
      continue;
    }
    if (Line.consume_front("+")) {
      Out += Line.str() + "\n";
      continue;
    }
    const bool Stays = Line.starts_with(" ");
    if (Line.empty() || Line.drop_front() != Copy())
      return std::nullopt;
    if (Stays)
      Out += Line.drop_front().str() + "\n";
  }
  return Out + Text.str();
}

} // namespace

TEST(UnifiedDiff, ShowsThreeLinesAround) {
  EXPECT_EQ(unifiedDiff("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n", "x"),
            "--- x\n+++ x\n@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f\n");
  EXPECT_EQ(unifiedDiff("a\n", "a\n", "x"), "");
  EXPECT_EQ(unifiedDiff("", "a\n", "x"), "--- x\n+++ x\n@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(unifiedDiff("a\n", "", "x"), "--- x\n+++ x\n@@ -1,1 +0,0 @@\n-a\n");
}

TEST(UnifiedDiff, MakesOneTextOfTheOther) {
  std::mt19937 Random(7);
  for (unsigned Turn = 0; Turn != 2000; ++Turn) {
    std::string Before, After;
    for (std::string *Text : {&Before, &After})
      for (unsigned Count = Random() % 40; Count != 0; --Count)
        *Text += std::string(1, char('a' + Random() % 4)) + "\n";
    const std::string Patch = unifiedDiff(Before, After, "x");
    EXPECT_EQ(applied(Before, Patch), After) << Patch;
  }
}

TEST(UnifiedDiff, VeryDifferentTextsAreReplaced) {
  std::string Before, After;
  for (unsigned I = 0; I != 3000; ++I) {
    Before += "a" + std::to_string(I) + "\n";
    After += "b" + std::to_string(I) + "\n";
  }
  EXPECT_EQ(applied(Before, unifiedDiff(Before, After, "x")), After);
}
