//===- GuessOptions.cpp - A file that is named by itself ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuessOptions.h"
#include "FailureHints.h"
#include "GuessedMacros.h"
#include "driver/CompilerMessages.h"
#include "gpuocc/Support/Printable.h"
#include "sources/Compiler.h"
#include "llvm/Support/raw_ostream.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// What the compiler printed, if a compiler is why.
static std::string messagesOf(const Error &Why) {
  std::string Messages;
  visitErrors(Why, [&](const ErrorInfoBase &Part) {
    if (Part.isA<CompilerMessages>())
      Messages += static_cast<const CompilerMessages &>(Part).messages();
  });
  return Messages;
}

static Expected<AssessedFile> assess(StringRef File, FileOptions Options,
                                     UnmatchedLaunches *Unmatched) {
  bool IsPartial = false;
  Expected<Report> R = assessFile(File, Options.get(), Unmatched, &IsPartial);
  if (!R)
    return R.takeError();
  return AssessedFile{std::move(*R), std::move(Options), IsPartial};
}

/// Notes of a guess, and of the macros in \p Outcome.
static void tellGuess(const Project &Guess, const JobOutcome &Outcome) {
  for (const std::string &Note : Guess.Notes)
    errs() << "note: " << printable(Note) << '\n';
  tellHints(Guess.Jobs, Outcome);
}

/// What \p File comes to with guessed options; nothing where they do not help.
static std::optional<AssessedFile>
assessWithGuesses(StringRef File, const AssessFileOptions &Given,
                  const TranslatedArguments &More, StringRef FirstMessages,
                  UnmatchedLaunches *Unmatched) {
  Project Guess = projectOfGuesses(File, More);
  SourceJob &Job = Guess.Jobs.front();
  JobOutcome Outcome;
  std::optional<AssessedFile> Found;
  // With the same options the compilers say the same again.
  bool IsTried = Job.Arguments.Clang == More.Clang;
  auto Run = [&](const SourceJob &Guessed) -> std::optional<std::string> {
    if (std::exchange(IsTried, false))
      return Outcome.Messages = FirstMessages.str();
    Expected<FileOptions> Options = FileOptions::ofBuild(Guessed, Given, {});
    Expected<AssessedFile> Done =
        Options ? assess(File, std::move(*Options), Unmatched)
                : Expected<AssessedFile>(Options.takeError());
    if (Done) {
      Found.emplace(std::move(*Done));
      return std::nullopt;
    }
    Error Why = Done.takeError();
    Outcome.Messages = messagesOf(Why);
    consumeError(std::move(Why));
    return Outcome.Messages;
  };
  if (runGuessing(Job, Run, Outcome.Guessed)) {
    Outcome.What.emplace();
    tellGuess(Guess, Outcome);
    return Found;
  }
  const StringRef First = firstCompilerError(FirstMessages),
                  Last = firstCompilerError(Outcome.Messages);
  if (Last != First)
    errs() << "note: with include folders and macros that are guessed from the "
              "files around it: "
           << printable(Last) << '\n';
  Outcome.Guessed.clear();
  tellHints(Guess.Jobs, Outcome);
  return std::nullopt;
}

Expected<AssessedFile>
gpuocc::assessNamedFile(StringRef File, const AssessFileOptions &Given,
                        ArrayRef<StringRef> CompilerOptions,
                        const ProjectOptions &Sets,
                        UnmatchedLaunches *Unmatched) {
  Expected<FileOptions> Options =
      FileOptions::create(File, Given, CompilerOptions, Sets);
  if (!Options)
    return Options.takeError();
  const bool MayGuess = Options->ofDatabase().empty() && Sets.LooksForDatabases;
  Expected<AssessedFile> Done = assess(File, std::move(*Options), Unmatched);
  if (Done || !MayGuess)
    return Done;
  Error Why = Done.takeError();
  const std::string Messages = messagesOf(Why);
  if (!mayLackOptions(Messages))
    return std::move(Why);
  Expected<TranslatedArguments> More = compilerArguments(
      std::vector<std::string>(CompilerOptions.begin(), CompilerOptions.end()),
      ".");
  if (!More)
    return joinErrors(std::move(Why), More.takeError());
  std::optional<AssessedFile> Guessed =
      assessWithGuesses(File, Given, *More, Messages, Unmatched);
  if (!Guessed)
    return std::move(Why);
  consumeError(std::move(Why));
  return std::move(*Guessed);
}
