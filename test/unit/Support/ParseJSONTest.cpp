//===- ParseJSONTest.cpp - Tests of reading JSON --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/ParseJSON.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuocc;
using namespace llvm;

static std::string errorOf(StringRef Text) {
  Expected<json::Value> J = parseJSON(Text);
  return J ? "none" : toString(J.takeError());
}

TEST(ParseJSON, DepthHasALimit) {
  auto Nested = [](size_t Levels) {
    return std::string(Levels, '[') + std::string(Levels, ']');
  };
  EXPECT_EQ(errorOf(Nested(2000)), "none");
  EXPECT_EQ(errorOf(Nested(2001)), "JSON is nested deeper than 2000 levels");
  EXPECT_EQ(errorOf(std::string(1000000, '{')),
            "JSON is nested deeper than 2000 levels");
}

TEST(ParseJSON, BracketsInTextsAndSideBySideAreNotDepth) {
  EXPECT_EQ(errorOf("[\"\\\"" + std::string(3000, '[') + "\"]"), "none");
  std::string Wide = "[";
  for (unsigned I = 0; I != 3000; ++I)
    Wide += "[],";
  EXPECT_EQ(errorOf(Wide + "0]"), "none");
}

namespace {
/// Documents of all that JSON has, some with a character too many.
class RandomText {
public:
  explicit RandomText(unsigned Seed) : Random(Seed) {}

  std::string make() {
    std::string Text = value(0);
    if (below(8) == 0 && !Text.empty())
      Text.insert(below(Text.size()), 1, "{[]}:,\"\\x0 "[below(11)]);
    return Text;
  }

private:
  size_t below(size_t N) { return Random() % N; }

  std::string word() {
    static constexpr StringLiteral Words[] = {
        "",        "key",      "\\n",  "\\\"",
        "\\u00e9", "\xc3\xa9", "a b ", "\\ud83d\\ude00",
        "\\/",     "\\udead",  "[{"};
    return "\"" + Words[below(std::size(Words))].str() +
           Words[below(std::size(Words))].str() + "\"";
  }

  std::string value(unsigned Level) {
    static constexpr StringLiteral Leaves[] = {"true",
                                               "false",
                                               "null",
                                               "0",
                                               "-0",
                                               "-17",
                                               "1e400",
                                               "2.5",
                                               "-1e-3",
                                               "1.",
                                               "00012",
                                               "9223372036854775808",
                                               "18446744073709551616",
                                               "-9223372036854775809",
                                               "+3",
                                               "0.1"};
    const size_t Kind = below(Level < 5 ? 4 : 2);
    if (Kind == 0)
      return Leaves[below(std::size(Leaves))].str();
    if (Kind == 1)
      return word();
    std::string Out(1, Kind == 2 ? '[' : '{');
    for (size_t I = 0, N = below(5); I != N; ++I) {
      Out += I == 0 ? "" : below(2) ? ", " : ",\n";
      if (Kind == 3)
        Out += word() + (below(2) ? ":" : " : ");
      Out += value(Level + 1);
    }
    return Out + (Kind == 2 ? "]" : "}");
  }

  std::mt19937 Random;
};
} // namespace

TEST(ParseJSON, ReadsAndRefusesWhatLLVMDoes) {
  for (unsigned Seed = 0; Seed != 3000; ++Seed) {
    const std::string Text = RandomText(Seed).make();
    Expected<json::Value> Theirs = json::parse(Text);
    Expected<json::Value> Ours = parseJSON(Text);
    ASSERT_EQ(bool(Theirs), bool(Ours)) << Seed << ": " << Text;
    if (Theirs)
      EXPECT_EQ(*Theirs, *Ours) << Seed << ": " << Text;
    else
      EXPECT_EQ(toString(Theirs.takeError()), toString(Ours.takeError()));
  }
}
