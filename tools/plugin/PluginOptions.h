//===- PluginOptions.h - Options of the pass plugin ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_PLUGIN_PLUGINOPTIONS_H
#define GPUOCC_TOOLS_PLUGIN_PLUGINOPTIONS_H

#include "driver/Session.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace gpuocc {

/// What the plugin is to do; each member is an option -gpu-occupancy-...
struct PluginOptions {
  SessionOptions Session;
  std::string FactsFile;
  std::string ReportFile;
  unsigned MaxFindings = 0;
  /// No remarks.
  bool Quiet = false;
  /// auto, off, or a path.
  std::string Ptxas;
  /// A log of nvcc -Xptxas -v that says the registers; empty: none.
  std::string RegistersLog;
  /// As nvcc's -maxrregcount; 0: no limit.
  unsigned RegisterLimit = 0;
  /// auto, mir or sass: the machine view that is priced.
  std::string View;
  /// "clang", or "nvcc": clang only looks at a program that nvcc builds.
  std::string BuiltBy;
  /// "", "text" or "json": the report printed to standard error.
  std::string PrintReport;
  /// Facts name the fingerprint of their module (KnownModule.h). They hold no
  /// kernels where it is this one, and no code is generated then.
  std::optional<std::string> KnownModule;
  /// What is wrong with these options; empty if nothing is.
  std::string Mistake;

  bool wantsFiles() const {
    return !FactsFile.empty() || !ReportFile.empty() || !PrintReport.empty();
  }
};

/// The options of the command line (-mllvm -gpu-occupancy-... in clang). A
/// value that makes no sense is a Mistake, not the end of the compilation; of
/// several values the last one counts.
PluginOptions commandLineOptions();

/// Overrides \p Options by the parameters of `-passes=gpu-occupancy<...>`:
/// "device=...;config=...;quiet", separated by ';'.
llvm::Expected<PluginOptions> withPassParameters(PluginOptions Options,
                                                 llvm::StringRef Parameters);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_PLUGIN_PLUGINOPTIONS_H
