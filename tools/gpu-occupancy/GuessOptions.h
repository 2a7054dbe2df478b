//===- GuessOptions.h - A file that is named by itself ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_GUESSOPTIONS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_GUESSOPTIONS_H

#include "FileOptions.h"

namespace gpuocc {

/// A report and what it was made with.
struct AssessedFile {
  Report What;
  FileOptions Options;
  /// Some kernels or launches are missing in the report.
  bool IsPartial = false;
};

/// The report of \p File, compiled as FileOptions say. Where neither a database
/// nor a set gave its options and it lacks a header or a name, they are guessed
/// as those of a set are (\see projectOfGuesses, missingMacros), which a note
/// on standard error says; where that does not help, notes say what a user may
/// do. \p Unmatched as in assessFile.
llvm::Expected<AssessedFile>
assessNamedFile(llvm::StringRef File, const AssessFileOptions &Given,
                llvm::ArrayRef<llvm::StringRef> CompilerOptions,
                const ProjectOptions &Sets,
                UnmatchedLaunches *Unmatched = nullptr);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_GUESSOPTIONS_H
