//===- AnalyzeProject.h - The kernels of many files -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_ANALYZEPROJECT_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_ANALYZEPROJECT_H

#include "Arguments.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Support/ExitStatus.h"

namespace gpuocc {

/// What concerns sets of files only.
struct ProjectOptions {
  /// Folder or file of the compilation database; empty: none.
  std::string Build;
  unsigned NumJobs = 0;
  unsigned LimitSeconds = 300;
  /// "auto", "off" or a folder.
  std::string Cache = "auto";

  /// Their rows of the option table; they point into this object.
  std::vector<OptionRow> rows();
};

/// What was analyzed, and whether that is all.
struct ProjectResult {
  Report All;
  ExitStatus Status = StatusGood;
};

/// True when \p Inputs and \p Options ask for a set of files.
bool asksForProject(llvm::ArrayRef<llvm::StringRef> Inputs,
                    const ProjectOptions &Options);

/// Analyzes the files that \p Inputs select. \p CompilerOptions stand behind
/// "--", \p Passed are options of `analyze` for each file, and \p ConfigPath
/// and
/// \p InputFiles as in RunJobsOptions. Files that fail are named on standard
/// error, with the first error of each. Fails when there is nothing to analyze.
llvm::Expected<ProjectResult>
analyzeProject(llvm::ArrayRef<llvm::StringRef> Inputs,
               llvm::ArrayRef<llvm::StringRef> CompilerOptions,
               const ProjectOptions &Options,
               llvm::ArrayRef<std::string> Passed, llvm::StringRef ConfigPath,
               llvm::ArrayRef<std::string> InputFiles);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_ANALYZEPROJECT_H
