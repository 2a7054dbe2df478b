//===- GuessedMacros.cpp - Macros that a source cannot do without ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuessedMacros.h"
#include "IncludeScan.h"
#include "MadeHeaders.h"
#include "TreeOfCommit.h"
#include "gpuocc/Support/Paths.h"
#include "sources/Compiler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

/// The tree whose headers \p Job may include.
static std::string treeAround(const SourceJob &Job, StringRef File) {
  if (!Job.GuessedIn.empty())
    return Job.GuessedIn;
  if (std::string Repository = repositoryOf(File); !Repository.empty())
    return Repository;
  return sys::path::parent_path(File).str();
}

/// What \p WordOf finds in the errors of \p Messages, each once. Two compilers
/// may have spoken, and one of them of a name where the other did not.
static std::vector<StringRef>
wordsOfErrors(StringRef Messages, function_ref<StringRef(StringRef)> WordOf) {
  static constexpr size_t MostWords = 4;
  std::vector<StringRef> Words;
  for (StringRef Error : compilerErrors(Messages))
    if (const StringRef Word = WordOf(Error); !Word.empty() &&
                                              Words.size() != MostWords &&
                                              !is_contained(Words, Word))
      Words.push_back(Word);
  return Words;
}

std::vector<StringRef> gpuocc::lackingHeaders(StringRef Messages) {
  return wordsOfErrors(Messages, missingHeader);
}

std::vector<StringRef> gpuocc::lackingNames(StringRef Messages) {
  return wordsOfErrors(Messages, undeclaredName);
}

std::optional<GuardedName> gpuocc::missingMacros(const SourceJob &Job,
                                                 StringRef Messages) {
  const std::vector<StringRef> Names = lackingNames(Messages);
  if (Names.empty())
    return std::nullopt;
  const std::string File = absolutePath(Job.File, Job.Directory);
  IncludeScan Scan(treeAround(Job, File));
  const auto Reached = Scan.reach(File, includeFolders(Job));
  for (StringRef Name : Names) {
    std::optional<GuardedName> Found = guardedName(Name, Reached, File);
    if (!Found)
      continue;
    erase_if(Found->Macros, [&](const std::string &Macro) {
      return decidesMacro(Job.Arguments.Clang, Macro);
    });
    if (!Found->Macros.empty())
      return Found;
  }
  return std::nullopt;
}

bool gpuocc::mayLackOptions(StringRef Messages) {
  return lacksHeader(Messages) || !lackingNames(Messages).empty();
}

/// Adds to the guessed options of \p Job what mends an error in \p Messages:
/// headers of the repository around it, or macros, which \p Steps receives.
/// False where nothing does, or enough was tried.
static bool guessMore(SourceJob &Job, StringRef Messages,
                      std::vector<GuardedName> &Steps) {
  static constexpr size_t MostSteps = 4;
  if (lacksHeader(Messages) && guessFromRepository(Job))
    return true;
  std::optional<GuardedName> Step = missingMacros(Job, Messages);
  if (!Step || Steps.size() == MostSteps)
    return false;
  defineMacros(Job, Step->Macros);
  Steps.push_back(std::move(*Step));
  return true;
}

bool gpuocc::runGuessing(SourceJob &Job, RunJob Run,
                         std::vector<GuardedName> &Steps) {
  while (std::optional<std::string> Messages = Run(Job))
    if (!guessMore(Job, *Messages, Steps))
      return false;
  return true;
}

void gpuocc::defineMacros(SourceJob &Job, ArrayRef<std::string> Macros) {
  for (const std::string &Macro : Macros) {
    Job.Arguments.Clang.push_back("-D" + Macro);
    Job.Arguments.Nvcc.push_back("-D" + Macro);
  }
}

std::string gpuocc::describe(const GuardedName &Where) {
  return "'" + Where.Name + "' is declared at " + nameFromHere(Where.File) +
         ":" + utostr(Where.Number) + " only where " +
         join(Where.Macros, " and ") +
         (Where.Macros.size() == 1 ? " is defined" : " are defined");
}

std::string gpuocc::asDefined(const GuardedName &Where) {
  return join(Where.Macros, " and ") +
         (Where.Macros.size() == 1 ? " is" : " are") +
         " taken as defined: " + describe(Where);
}
