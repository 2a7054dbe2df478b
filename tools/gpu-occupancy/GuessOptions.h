//===- GuessOptions.h - A file that its options do not compile --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_GUESSOPTIONS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_GUESSOPTIONS_H

#include "AnalyzeProject.h"

namespace gpuocc {

/// The result for \p File with options that are guessed as those of a set are
/// (\see projectOfGuesses), where \p Why it failed says that a header or a name
/// is missing and the guess mends that. Nothing else, and then standard error
/// says what a user may do about it.
std::optional<ProjectResult>
analyzeWithGuesses(llvm::StringRef File, const llvm::Error &Why,
                   llvm::ArrayRef<llvm::StringRef> CompilerOptions,
                   const RunJobsOptions &Run);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_GUESSOPTIONS_H
