//===- AnalyzeProject.h - The kernels of many files -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_ANALYZEPROJECT_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_ANALYZEPROJECT_H

#include "RunJobs.h"
#include "driver/Arguments.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Support/ExitStatus.h"
#include "sources/AssessFile.h"

namespace gpuocc {

/// What concerns sets of files only.
struct ProjectOptions {
  /// Folder or file of the compilation database; empty: none.
  std::string Build;
  unsigned NumJobs = 0;
  unsigned LimitSeconds = 300;
  /// "auto", "off" or a folder.
  std::string Cache = "auto";
  /// Globs of host compilers that a database may name.
  std::vector<std::string> QueryDrivers;
  /// Databases near files are looked for.
  bool LooksForDatabases = true;

  /// Their rows of the option table; they point into this object.
  std::vector<OptionRow> rows();
};

/// \p Row, which also notes in \p Given what it was given: "--arch=sm_90".
OptionRow noting(OptionRow Row, std::vector<std::string> &Given);

/// What was analyzed, and whether that is all.
struct ProjectResult {
  Report All;
  /// Instead of All where PassedOptions ask for summaries.
  ReportSummary Summary;
  /// The files that were read: sources, headers, configurations and what they
  /// name.
  std::vector<std::string> Files;
  ExitStatus Status = StatusGood;
};

/// True when \p Inputs and \p Options ask for a set of files.
bool asksForProject(llvm::ArrayRef<llvm::StringRef> Inputs,
                    const ProjectOptions &Options);

/// What the analyses of all files of a set have in common.
struct PassedOptions {
  /// Options of `analyze` for each file, as they were given.
  std::vector<std::string> Given;
  /// As in RunJobsOptions.
  std::string ConfigPath, Clang;
  std::vector<std::string> InputFiles;
  bool OnlySummaries = false;

  static PassedOptions of(std::vector<std::string> Given,
                          const AssessFileOptions &Files);
};

/// The files that \p Inputs select, of the compilation database in \p Options
/// or of folders; \p CompilerOptions stand behind "--".
llvm::Expected<Project>
selectFiles(llvm::ArrayRef<llvm::StringRef> Inputs,
            llvm::ArrayRef<llvm::StringRef> CompilerOptions,
            const ProjectOptions &Options);

/// How to run the analyses of a set, with progress where a terminal shows it.
RunJobsOptions runOptions(const ProjectOptions &Options,
                          const PassedOptions &Passed);

/// All reports of \p Outcomes. Files of \p Jobs that have none are named on
/// standard error, with the first error of each.
ProjectResult collectReports(llvm::ArrayRef<SourceJob> Jobs,
                             std::vector<JobOutcome> Outcomes);

/// Analyzes the files that selectFiles finds. Fails when there are none.
llvm::Expected<ProjectResult>
analyzeProject(llvm::ArrayRef<llvm::StringRef> Inputs,
               llvm::ArrayRef<llvm::StringRef> CompilerOptions,
               const ProjectOptions &Options, const PassedOptions &Passed);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_ANALYZEPROJECT_H
