//===- AddressInSequence.cpp - Sums whose active lanes stay neighbours ----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "SourceText.h"
#include "gpuocc/Kernel/KernelName.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Regex.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

namespace {
/// A pattern with groups, found in a range.
class Found {
public:
  Found(StringRef Text, TextRange In, StringRef Pattern) : Text(Text) {
    Regex(Pattern).match(In.of(Text), &Groups);
  }
  explicit operator bool() const { return !Groups.empty(); }
  StringRef operator[](size_t Group) const { return Groups[Group]; }
  size_t from(size_t Group = 0) const {
    return size_t(Groups[Group].data() - Text.data());
  }
  size_t to(size_t Group = 0) const {
    return from(Group) + Groups[Group].size();
  }
  Replacement by(std::string New, size_t Group = 0) const {
    return {from(Group), Groups[Group].size(), std::move(New)};
  }

private:
  StringRef Text;
  SmallVector<StringRef, 8> Groups;
};
} // namespace

/// A name, as a group.
static constexpr StringLiteral Name = "([A-Za-z_][A-Za-z_0-9.]*)";

/// `for (int s = 1; s < Words; s *= 2)`: type, counter and end in groups.
static std::string loopPattern() {
  return (
      R"(for *\( *([a-z_][A-Za-z_0-9 ]* )([A-Za-z_][A-Za-z_0-9]*) *= *1 *; *)"
      R"(([A-Za-z_][A-Za-z_0-9]*) *< *([A-Za-z_0-9.]+) *; *)"
      R"(([A-Za-z_][A-Za-z_0-9]*) *(\*= *2|<<= *1) *\))");
}

/// `if (t % (2 * s) == 0)` in front of `a[t] += a[t + s]`: each lane keeps its
/// word, and the first \p Step lanes work.
static std::optional<Replacement> packedLanes(StringRef Text, TextRange Body,
                                              StringRef Step) {
  const std::string Twice =
      "(2 *\\* *" + Step.str() + "|" + Step.str() + " *\\* *2)";
  const Found Test(Text, Body,
                   "if *\\( *" + Name.str() + " *% *\\( *" + Twice +
                       " *\\) *== *0 *\\)");
  if (!Test)
    return std::nullopt;
  const std::string Lane = Test[1].str();
  const Found Sum(Text, {Test.to(), Body.To},
                  "^[ \n{]*" + Name.str() + "\\[" + Lane + "\\] *[+]= *" +
                      Name.str() + "\\[" + Lane + " *[+] *" + Step.str() +
                      "\\];");
  if (!Sum || Sum[1] != Sum[2])
    return std::nullopt;
  return Test.by("if (" + Lane + " < " + Step.str() + ")");
}

/// `int i = 2 * s * t; if (i < Words) a[i] += a[i + s];`: the words in use are
/// neighbours.
static std::vector<Replacement> packedWords(StringRef Text, TextRange Body,
                                            StringRef Step, StringRef End) {
  const Found Index(Text, Body,
                    Name.str() + " *= *(2 *\\* *" + Step.str() + " *\\* *" +
                        Name.str() + ") *;");
  if (!Index)
    return {};
  const std::string Word = Index[1].str();
  const Found Test(Text, {Index.to(), Body.To},
                   "^[ \n]*if *\\( *" + Word + " *< *(" + Regex::escape(End) +
                       ") *\\)[ \n{]*" + Name.str() + "\\[" + Word +
                       "\\] *[+]= *" + Name.str() + "\\[" + Word + " *[+] *" +
                       Step.str() + "\\];");
  if (!Test || Test[2] != Test[3])
    return {};
  return {Index.by(Index[3].str(), 2), Test.by(Step.str(), 1)};
}

std::vector<Cure> editor::addressInSequence(const Launched &K) {
  StringRef Text = K.Text.text();
  const std::string Kernel = baseName(K.What.Facts.Demangled).str();
  const std::optional<FunctionText> Function = functionIn(Text, Kernel);
  // Halves of other numbers of words leave words out.
  if (!Function || !isPowerOf2_64(K.What.Launched.threadsPerBlock()))
    return {};
  const Found Loop(Text, Function->Body, loopPattern());
  if (!Loop || Loop[2] != Loop[3] || Loop[2] != Loop[5])
    return {};
  StringRef Step = Loop[2], End = Loop[4];
  const TextRange Inside{Loop.to(), Function->Body.To};
  Cure C;
  if (std::optional<Replacement> Test = packedLanes(Text, Inside, Step))
    C.Edits = {*Test};
  else
    C.Edits = packedWords(Text, Inside, Step, End);
  if (C.Edits.empty())
    return {};
  const std::string S = Step.str();
  C.Edits.push_back(Loop.by("for (" + Loop[1].str() + S + " = " + End.str() +
                            " / 2; " + S + " > 0; " + S + " /= 2)"));
  C.Title = "add words that are far apart first in '" + Kernel +
            "', so that neighbouring lanes use neighbouring words (" +
            End.str() + " a power of two)";
  return {std::move(C)};
}
