//===- CompareWithCommit.h - Both sides of a change -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_COMPAREWITHCOMMIT_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_COMPAREWITHCOMMIT_H

#include "AnalyzeProject.h"
#include "gpuocc/Report/ReportSummary.h"

namespace gpuocc {

/// Two reports of the same files, named as from the working directory.
struct BothSides {
  ReportSummary Before, After;
  /// StatusFailed where a file of the working tree could not be analyzed.
  ExitStatus Status = StatusGood;
  /// Sources of the working tree that were analyzed.
  size_t NumFiles = 0;
  /// The files that the working tree's side was made from.
  std::vector<std::string> Files;
};

/// Names the files of \p Summary as from the working directory.
void nameFilesFromHere(ReportSummary &Summary);

/// Analyzes the working tree around the current folder and the commit at which
/// it left \p Revision. Of the sources that selectFiles would find only those
/// are analyzed that changed since or that include or are configured by what
/// did; \p Inputs (files and folders), if any, are the only changes that count.
/// Without a compilation database in \p Sets one is looked for in the top
/// folder and in "build" below it.
///
/// A source that the commit lacks, or that cannot be analyzed there, is new.
/// \p Passed asks for summaries.
llvm::Expected<BothSides>
compareWithCommit(llvm::StringRef Revision,
                  llvm::ArrayRef<llvm::StringRef> Inputs,
                  llvm::ArrayRef<llvm::StringRef> CompilerOptions,
                  ProjectOptions Sets, const PassedOptions &Passed);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_COMPAREWITHCOMMIT_H
