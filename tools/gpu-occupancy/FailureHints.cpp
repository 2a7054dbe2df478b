//===- FailureHints.cpp - What to do about files that failed --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FailureHints.h"
#include "GuessedMacros.h"
#include "MadeHeaders.h"
#include "gpuocc/Support/Printable.h"
#include "sources/Compiler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {
/// Notes on standard error, each once.
class Notes {
public:
  void tell(const std::string &Text) {
    if (Told.insert(Text).second)
      errs() << "note: " << printable(Text) << '\n';
  }

private:
  std::set<std::string> Told;
};
} // namespace

static void tellGuessedMacros(const JobOutcome &Outcome, Notes &Out) {
  for (const GuardedName &Step : Outcome.Guessed)
    Out.tell(asDefined(Step));
}

/// What \p Job, whose \p Messages say why it failed, needs.
static void tellNeeds(const SourceJob &Job, StringRef Messages, Notes &Out) {
  // Macros that a guess did not help with are not advised.
  if (Job.GuessedIn.empty())
    if (std::optional<GuardedName> Step = missingMacros(Job, Messages))
      Out.tell(describe(*Step) + ": add '-- -D" + join(Step->Macros, " -D") +
               "'");
  const StringRef Header = missingHeader(firstCompilerError(Messages));
  if (Header.empty())
    return;
  if (std::string Template = templateOfHeader(Header, Job.File);
      !Template.empty())
    Out.tell("a build makes '" + Header.str() + "' from '" + Template +
             "': configure it, and name its compilation database with -p");
}

void gpuocc::tellHints(ArrayRef<SourceJob> Jobs,
                       ArrayRef<JobOutcome> Outcomes) {
  Notes Out;
  for (auto [Job, Outcome] : zip_equal(Jobs, Outcomes)) {
    tellGuessedMacros(Outcome, Out);
    if (!Outcome.hasReport() && !Outcome.IsPart)
      tellNeeds(Job, Outcome.Messages, Out);
  }
}
