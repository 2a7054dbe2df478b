//===- GuardedNames.cpp - Names behind conditions of headers --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedNames.h"
#include "sources/Compiler.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::undeclaredName(StringRef CompilerError) {
  static constexpr StringLiteral Forms[] = {
      "error: use of undeclared identifier '([A-Za-z_0-9]+)'",
      "error: unknown type name '([A-Za-z_0-9]+)'",
      "error: identifier \"([A-Za-z_0-9]+)\" is undefined",
      "error: '([A-Za-z_0-9]+)' was not declared in this scope"};
  return wordOfError(CompilerError, Forms);
}

static bool isWordCharacter(char C) { return isAlnum(C) || C == '_'; }

static bool hasWord(StringRef Line, StringRef Word) {
  for (size_t At = Line.find(Word); At != StringRef::npos;
       At = Line.find(Word, At + 1)) {
    const size_t End = At + Word.size();
    if ((At == 0 || !isWordCharacter(Line[At - 1])) &&
        (End == Line.size() || !isWordCharacter(Line[End])))
      return true;
  }
  return false;
}

namespace {
/// One open condition: the macros that have to be defined for the part of it
/// that is read, and for the part behind #else.
struct Condition {
  std::string Here, Behind;
};
} // namespace

/// \p Text if it is the name of a macro that users define; else empty.
static std::string ownMacro(StringRef Text) {
  Text = Text.trim();
  if (Text.consume_front("("))
    Text = Text.rtrim().drop_back(Text.rtrim().ends_with(")")).trim();
  // Names that start with an underscore belong to compilers.
  const bool IsName =
      !Text.empty() && isAlpha(Text.front()) && all_of(Text, isWordCharacter);
  return IsName ? Text.str() : "";
}

/// What `#if` asks for with \p Text.
static Condition conditionOf(StringRef Text) {
  Text = Text.trim();
  const bool IsNegated = Text.consume_front("!");
  StringRef Name = Text;
  const bool AsksDefined = Name.consume_front("defined");
  std::string Macro = ownMacro(Name);
  if (IsNegated)
    return {"", AsksDefined ? Macro : ""};
  return {Macro, ""};
}

/// Takes \p Directive, what stands behind '#' in a line.
static void takeDirective(StringRef Directive,
                          SmallVectorImpl<Condition> &Open) {
  StringRef Word = Directive.take_while(isAlpha);
  StringRef Rest = Directive.drop_front(Word.size());
  Rest = Rest.take_front(std::min(Rest.find("//"), Rest.find("/*")));
  if (Word == "ifdef")
    Open.push_back({ownMacro(Rest), ""});
  else if (Word == "ifndef")
    Open.push_back({"", ownMacro(Rest)});
  else if (Word == "if")
    Open.push_back(conditionOf(Rest));
  else if (Open.empty())
    return;
  else if (Word == "else")
    Open.back() = {Open.back().Behind, ""};
  else if (Word == "elif")
    Open.back() = conditionOf(Rest);
  else if (Word == "endif")
    Open.pop_back();
}

std::optional<GuardedLine> gpuocc::guardedLine(StringRef Text, StringRef Name) {
  SmallVector<Condition, 8> Open;
  std::optional<GuardedLine> Found;
  unsigned Number = 0;
  for (StringRef Line : split(Text, '\n')) {
    ++Number;
    StringRef Trimmed = Line.ltrim();
    if (Trimmed.consume_front("#"))
      takeDirective(Trimmed.ltrim(), Open);
    if (!hasWord(Line.split("//").first, Name))
      continue;
    GuardedLine Here{Number, {}};
    for (const Condition &C : Open)
      if (!C.Here.empty())
        Here.Macros.push_back(C.Here);
    if (Here.Macros.empty())
      return Here;
    if (!Found)
      Found = std::move(Here);
  }
  return Found;
}

std::optional<GuardedName>
gpuocc::guardedName(StringRef Name, const std::set<std::string> &Files,
                    StringRef Source) {
  std::optional<GuardedName> Found;
  for (const std::string &File : Files) {
    if (File == Source)
      continue;
    auto Buffer = MemoryBuffer::getFile(File);
    if (!Buffer || !(*Buffer)->getBuffer().contains(Name))
      continue;
    std::optional<GuardedLine> Line = guardedLine((*Buffer)->getBuffer(), Name);
    if (!Line)
      continue;
    if (Line->Macros.empty())
      return std::nullopt;
    if (!Found)
      Found = GuardedName{std::move(*Line), Name.str(), File};
  }
  return Found;
}
