//===- ReportView.h - The forms that a report can take ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One table of all views: `--format` takes the names, a new view is a new row.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_REPORTVIEW_H
#define GPUOCC_VIEWS_REPORTVIEW_H

#include "gpuocc/Report/Selection.h"
#include "gpuocc/Views/WriteJSON.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// What views can be asked for; each view takes what concerns it.
struct ViewOptions {
  /// Costly findings shown per kernel by views for readers; 0 is no limit.
  unsigned MaxFindings = DefaultMaxFindings;
  /// JSON only. What programs alone read is one line.
  JSONContents Contents = JSONContents::Public;
  /// Absolute path of the folder that relative paths start at; files below it
  /// are named relative to it. Empty: files keep the name the compiler was
  /// given.
  std::string BaseDirectory;
  /// Width of the terminal, in characters; 0 is no limit.
  unsigned Columns = 0;
  /// Views for a terminal may use its colors.
  bool Colors = false;
  /// Text of a source file as the report names it; nothing where it cannot be
  /// read. Absent: views show no source.
  std::function<std::optional<std::string>(llvm::StringRef File)> ReadSource;
};

/// One form of a report.
struct ReportView {
  llvm::StringLiteral Name;
  llvm::StringLiteral Help;
  /// Writes the report as a whole. Fails only for reports that the form cannot
  /// express; the stream's own errors are the caller's.
  llvm::Error (*Write)(const Report &R, const ViewOptions &Options,
                       llvm::raw_ostream &OS);
};

/// All views, in the order of the documentation.
llvm::ArrayRef<ReportView> reportViews();

/// The view called \p Name, or nullptr.
const ReportView *findReportView(llvm::StringRef Name);

/// One screen over all kernels: those with something to gain, ranked by the
/// time that mending their best finding saves, launches and template instances
/// of one kernel together; the others as a count.
llvm::Error writeSummary(const Report &R, const ViewOptions &Options,
                         llvm::raw_ostream &OS);

/// A line `file:line:col: remark: 1.75x ...: ... [Rule]` for each problem, as
/// compilers write them and editors jump to, the greatest gain first, with the
/// line of the source and a caret below the column.
llvm::Error writeRemarks(const Report &R, const ViewOptions &Options,
                         llvm::raw_ostream &OS);

/// SARIF 2.1.0: one run, a rule for each RuleId with its page as help, a result
/// for each problem of the report, notifications for what was not analyzed.
llvm::Error writeSarif(const Report &R, const ViewOptions &Options,
                       llvm::raw_ostream &OS);

/// Workflow commands of GitHub Actions: one annotation for each problem.
llvm::Error writeGitHub(const Report &R, const ViewOptions &Options,
                        llvm::raw_ostream &OS);

/// A comment for a pull request: a table of kernels, slowest first, and a table
/// of problems.
llvm::Error writeMarkdown(const Report &R, const ViewOptions &Options,
                          llvm::raw_ostream &OS);

/// One page that loads nothing else: the list of kernels, and for each its
/// curve over occupancy, roofline, bounds, mix, findings and waits at the
/// source, and a panel that asks what if.
llvm::Error writeHtml(const Report &R, const ViewOptions &Options,
                      llvm::raw_ostream &OS);

/// The records that `-fsave-optimization-record` writes: one YAML document for
/// each finding.
llvm::Error writeYaml(const Report &R, const ViewOptions &Options,
                      llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_REPORTVIEW_H
