//===- RunJobs.h - Many files at once ---------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each file is analyzed by a process of its own, so that what goes wrong with
/// one costs the others nothing.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_RUNJOBS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_RUNJOBS_H

#include "GuardedNames.h"
#include "Project.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Report/ReportSummary.h"
#include <optional>
#include <set>

namespace gpuocc {

enum class ProgressForm {
  None,
  /// One line that is written anew, for a terminal.
  Live,
  /// A line each 20 s, or as many as GPUOCC_PROGRESS_SECONDS says.
  Lines,
};

struct RunJobsOptions {
  /// Options of `analyze` for every file.
  std::vector<std::string> Common;
  /// The configuration that is named for all files; empty: the nearest.
  std::string ConfigPath;
  /// The compiler that is named for all files; empty: the usual one.
  std::string Clang;
  /// Other files that each report is made from, such as a device database.
  std::vector<std::string> InputFiles;
  /// Processes at once; 0: as many as the machine has cores.
  unsigned NumJobs = 0;
  /// For each file; 0: none.
  unsigned LimitSeconds = 0;
  /// Folder of the cache; empty: none.
  std::string CacheFolder;
  /// The reports are compared only: outcomes have a Summary instead of What.
  bool OnlySummaries = false;
  /// How progress is told on standard error.
  ProgressForm Progress = ProgressForm::None;
};

/// What came of one file.
struct JobOutcome {
  /// One of them, as RunJobsOptions say; both are absent where the file could
  /// not be analyzed.
  std::optional<Report> What = std::nullopt;
  std::optional<ReportSummary> Summary = std::nullopt;
  /// What the analysis said on standard error.
  std::string Messages = {};
  /// Absolute paths of the files that it was made from; empty where it failed.
  std::vector<std::string> Dependencies = {};
  /// What decided macros that were guessed, a step each.
  std::vector<GuardedName> Guessed = {};
  /// It was not analyzed by itself, since another file includes it.
  bool IsPart = false;
  /// Some kernels or launches are missing in its report.
  bool IsPartial = false;

  bool hasReport() const { return What || Summary; }
};

/// The options of `analyze` that say how the build compiles \p Job, without
/// what stands behind "--".
std::vector<std::string> optionsOf(const SourceJob &Job);

/// Absolute paths of the files that reports of \p Outcomes were made from.
std::set<std::string> filesOf(llvm::ArrayRef<JobOutcome> Outcomes);

/// Analyzes \p Jobs; the outcomes are in their order. Parts come last, those
/// that no analyzed file includes. A job with guessed options that fails for
/// want of a header is tried again with the folders of the repository around
/// it, and for want of a name with the macros under which a header declares it.
std::vector<JobOutcome> runJobs(llvm::ArrayRef<SourceJob> Jobs,
                                const RunJobsOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_RUNJOBS_H
