//===- ReportFiles.h - Many reports one after the other ---------*- C++ -*-===//
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A build leaves a report for each source and architecture
/// (-gpu-occupancy-report-file). They are read some at a time and let go, so
/// that memory does not grow with them.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_REPORTFILES_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_REPORTFILES_H

#include "gpuocc/Report/ReportSummary.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// How names of reports end that the plugin gives them in a folder.
constexpr llvm::StringLiteral ReportSuffix = ".report.json";

/// The names below \p Folder that end in ReportSuffix, sorted.
llvm::Expected<std::vector<std::string>> reportsBelow(llvm::StringRef Folder);

/// Folders become the reports below them, "@FILE" the names in the lines of
/// FILE. Fails for a folder without a report.
llvm::Expected<std::vector<std::string>>
listReports(llvm::ArrayRef<llvm::StringRef> Inputs);

/// What one file holds.
struct ReportFile {
  ReportSummary Summary;
  /// Where they were asked for.
  ShortKernels Short;
};

struct ReadReportsOptions {
  /// Files at once; 0: as many as cores.
  unsigned NumJobs = 0;
  bool WithShortKernels = false;
};

/// Reads \p Files on several threads and hands each to \p Take, in their
/// order. Fails with one line for the first that is no report, or where \p Take
/// fails.
llvm::Error readReports(llvm::ArrayRef<std::string> Files,
                        const ReadReportsOptions &Options,
                        llvm::function_ref<llvm::Error(ReportFile)> Take);

/// The kernels of the report \p Path, or of all reports below the folder or in
/// the list that it names.
llvm::Expected<ReportSummary> loadReportSummary(llvm::StringRef Path);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_REPORTFILES_H
