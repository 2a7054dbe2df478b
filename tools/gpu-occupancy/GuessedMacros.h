//===- GuessedMacros.h - Macros that a source cannot do without -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_GUESSEDMACROS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_GUESSEDMACROS_H

#include "GuardedNames.h"
#include "Project.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// Where a header that \p Job may include declares the name that it lacks
/// according to \p Messages, what its compiler printed, if it does so only
/// where macros are defined that the options of \p Job do not decide. Headers
/// outside of the tree that options are guessed from, or else of the repository
/// around the file, or else of its folder, are not read.
std::optional<GuardedName> missingMacros(const SourceJob &Job,
                                         llvm::StringRef Messages);

/// The first headers, and the first names, for want of which \p Messages, what
/// compilers printed, have errors.
std::vector<llvm::StringRef> lackingHeaders(llvm::StringRef Messages);
std::vector<llvm::StringRef> lackingNames(llvm::StringRef Messages);

/// True if \p Messages have an error for want of a header or of a name, which
/// options may mend.
bool mayLackOptions(llvm::StringRef Messages);

/// Runs a job; returns nothing where it has a report, else what its compilers
/// printed, which is empty where it did not come to its end.
using RunJob =
    llvm::function_ref<std::optional<std::string>(const SourceJob &Job)>;

/// Runs \p Job, whose options are guessed, and as long as it has no report and
/// something mends an error, again with that: headers of the repository around
/// it, or macros, which \p Steps receives. False where it came to no report.
bool runGuessing(SourceJob &Job, RunJob Run, std::vector<GuardedName> &Steps);

/// Defines \p Macros for all compilers of \p Job.
void defineMacros(SourceJob &Job, llvm::ArrayRef<std::string> Macros);

/// \p Where in words: "'NAME' is declared at FILE:LINE only where M is
/// defined".
std::string describe(const GuardedName &Where);

/// That the macros of \p Where were guessed: "M is taken as defined: ...".
std::string asDefined(const GuardedName &Where);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_GUESSEDMACROS_H
