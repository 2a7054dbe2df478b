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
  /// auto, mir or sass: the machine view that is priced.
  std::string View;
  /// "clang", or "nvcc": clang only looks at a program that nvcc builds.
  std::string BuiltBy;
  /// "", "text" or "json": the report printed to standard error.
  std::string PrintReport;

  bool wantsFiles() const {
    return !FactsFile.empty() || !ReportFile.empty() || !PrintReport.empty();
  }
  /// True when the user gave something that can be wrong.
  bool hasInput() const {
    return !Session.Device.empty() || !Session.ConfigPath.empty() ||
           !Session.Launches.empty();
  }
};

/// The options of the command line (-mllvm -gpu-occupancy-... in clang).
PluginOptions commandLineOptions();

/// Overrides \p Options by the parameters of `-passes=gpu-occupancy<...>`:
/// "device=...;config=...;quiet", separated by ';'.
llvm::Expected<PluginOptions> withPassParameters(PluginOptions Options,
                                                 llvm::StringRef Parameters);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_PLUGIN_PLUGINOPTIONS_H
