//===- Analysis.h - A text to a report --------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_ANALYSIS_H
#define GPUOCC_TOOLS_LSP_ANALYSIS_H

#include "Scheduler.h"
#include "Settings.h"
#include "Tokens.h"
#include "gpuocc/Report/Report.h"
#include <map>
#include <optional>

namespace gpuocc::editor {

/// What to analyze.
struct AnalysisRequest {
  /// Absolute path of the file that is compiled.
  std::string File;
  /// By absolute path: the texts that the editor has and the disk may not have,
  /// that of File among them.
  std::map<std::string, std::shared_ptr<const std::string>> Buffers;
  Settings Set;
  /// The device that was chosen by a click; empty: what the settings say.
  std::string Device;
  /// A text that nobody keeps: to see what an edit would bring.
  bool IsTrial = false;
};

/// An error of the compiler.
struct CompilerError {
  std::string File;
  unsigned Line = 0, Column = 0;
  std::string Message;
};

/// What came out.
struct AnalysisResult {
  /// Absent where the file could not be analyzed.
  std::optional<Report> What;
  /// Why not, in one line.
  std::string Problem;
  /// Where the source is to blame.
  std::optional<CompilerError> Error;
  /// What the analysis had to say beside the report.
  std::vector<std::string> Notes;
  /// By absolute path: the texts, in words, that the places of the report are
  /// places of.
  std::map<std::string, std::shared_ptr<const TokenList>> Words;
  /// Absolute paths of the files that were read.
  std::vector<std::string> Dependencies;
  /// It was stopped: nothing else is set.
  bool Stopped = false;
  double Seconds = 0;
};

/// Analyzes texts; called by one thread at a time.
class Analyzer {
public:
  virtual ~Analyzer() = default;

  /// Analyzes what \p Request names. Ends early once \p Stop is set.
  virtual AnalysisResult analyze(const AnalysisRequest &Request,
                                 const StopFlag &Stop) = 0;
  /// Does beforehand what makes the next analysis of this file faster.
  virtual void prepare(const AnalysisRequest &Request,
                       const StopFlag &Stop) = 0;
};

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_ANALYSIS_H
