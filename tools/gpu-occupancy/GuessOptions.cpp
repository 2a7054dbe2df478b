//===- GuessOptions.cpp - A file that its options do not compile ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuessOptions.h"
#include "FailureHints.h"
#include "GuardedNames.h"
#include "MadeHeaders.h"
#include "driver/CompilerMessages.h"
#include "gpuocc/Support/Printable.h"
#include "sources/Compiler.h"
#include "llvm/Support/raw_ostream.h"

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

std::optional<ProjectResult>
gpuocc::analyzeWithGuesses(StringRef File, const Error &Why,
                           ArrayRef<StringRef> CompilerOptions,
                           const RunJobsOptions &Run) {
  const std::string Messages = messagesOf(Why);
  const StringRef First = firstCompilerError(Messages);
  if (missingHeader(First).empty() && undeclaredName(First).empty())
    return std::nullopt;
  Expected<TranslatedArguments> More = compilerArguments(
      std::vector<std::string>(CompilerOptions.begin(), CompilerOptions.end()),
      ".");
  if (!More) {
    consumeError(More.takeError());
    return std::nullopt;
  }
  const Project Guess = projectOfGuesses(File, *More);
  std::vector<JobOutcome> Outcomes = runJobs(Guess.Jobs, Run);
  if (Outcomes.front().hasReport()) {
    for (const std::string &Note : Guess.Notes)
      errs() << "note: " << printable(Note) << '\n';
    return collectReports(Guess.Jobs, std::move(Outcomes));
  }
  const StringRef Second = firstCompilerError(Outcomes.front().Messages);
  if (Second != First)
    errs() << "note: with include folders and macros that are guessed from the "
              "files around it: "
           << printable(Second) << '\n';
  tellHints(Guess.Jobs, Outcomes);
  return std::nullopt;
}
