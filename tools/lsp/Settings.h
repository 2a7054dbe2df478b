//===- Settings.h - What the user may set -----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_SETTINGS_H
#define GPUOCC_TOOLS_LSP_SETTINGS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace gpuocc::editor {

/// The settings below "gpu-occupancy", from `initializationOptions` and
/// `workspace/didChangeConfiguration`. docs/editors.md describes each.
struct Settings {
  /// Empty: what the configuration file or the architecture says.
  std::string Device;
  /// Those that a click goes through; empty: all of the database.
  std::vector<std::string> Devices;
  /// As --launch.
  std::vector<std::string> Launches;
  /// Added to the compiler's command line.
  std::vector<std::string> CompilerArguments;
  /// Folder or file; empty: the one nearest to the source.
  std::string CompilationDatabase;
  std::string Ptxas = "auto";
  std::string Clang;
  /// Least gains of findings shown as warnings and as information; others are
  /// hints.
  double WarningGain = 1.2;
  double InformationGain = 1.05;
  bool ShowsLenses = true;
  bool ShowsHints = true;
  /// Pause in typing after which the text is analyzed.
  unsigned DelayMs = 300;
  /// Limit of one analysis; 0: none.
  unsigned LimitSeconds = 120;

  bool operator==(const Settings &) const = default;
};

/// The settings in \p J, which may stand below the key "gpu-occupancy"; what is
/// not mentioned has its default. Fails on a setting that does not exist, and
/// on a value of another type than the setting's, naming it.
llvm::Expected<Settings> parseSettings(const llvm::json::Value &J);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_SETTINGS_H
