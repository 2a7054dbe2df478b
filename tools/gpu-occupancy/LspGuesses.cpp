//===- LspGuesses.cpp - Options of files without a database ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LspGuesses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Of one file: a user who writes a hundred wrong names guesses himself.
static constexpr size_t MostTried = 64;

const SourceJob *LspGuesses::find(StringRef File,
                                  ArrayRef<std::string> Given) const {
  const auto Found = Files.find(File.str());
  if (Found == Files.end() || !Found->second.Job ||
      ArrayRef(Found->second.Given) != Given)
    return nullptr;
  return &*Found->second.Job;
}

/// The headers that \p Messages lack and, with \p AndNames, the names.
static std::string lackIn(StringRef Messages, bool AndNames) {
  std::vector<StringRef> Words = lackingHeaders(Messages);
  if (AndNames)
    append_range(Words, lackingNames(Messages));
  return join(Words, "\n");
}

std::optional<std::vector<std::string>>
LspGuesses::guess(StringRef File, ArrayRef<std::string> Given,
                  const TranslatedArguments &Arguments, StringRef Messages,
                  bool WasAnalyzed, RunJob Run) {
  const std::string Lack = lackIn(Messages, !WasAnalyzed);
  if (Lack.empty())
    return std::nullopt;
  OfFile &Here = Files[File.str()];
  if (ArrayRef(Here.Given) != Given)
    Here = {Given.vec(), std::nullopt, {}};
  if (Here.Tried.size() == MostTried || Here.Tried.count(Lack))
    return std::nullopt;
  Project Guess =
      projectOfGuesses(File, Arguments, "the setting 'compilationDatabase'");
  SourceJob &Job = Guess.Jobs.front();
  std::vector<GuardedName> Steps;
  bool IsEnded = true;
  auto RunToEnd = [&](const SourceJob &Guessed) {
    std::optional<std::string> Messages = Run(Guessed);
    IsEnded = !Messages || !Messages->empty();
    return Messages;
  };
  if (!runGuessing(Job, RunToEnd, Steps)) {
    if (IsEnded)
      Here.Tried.insert(Lack);
    return std::nullopt;
  }
  Here.Job = std::move(Job);
  for (const GuardedName &Step : Steps)
    Guess.Notes.push_back(asDefined(Step));
  return std::move(Guess.Notes);
}
