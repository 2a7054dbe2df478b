//===- Config.h - The configuration file -----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The file `.gpu-occupancy` (YAML) says which device is meant, how kernels are
/// launched and which findings to show; docs/configuration.md describes it.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CONFIG_CONFIG_H
#define GPUOCC_CONFIG_CONFIG_H

#include "gpuocc/Config/LaunchSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// The name of the file that is looked for.
constexpr llvm::StringLiteral ConfigFileName = ".gpu-occupancy";

/// What a gate judges kernels by that \p Kernel names, instead of its criteria.
struct GateException {
  /// A name, a mangled name or a /regular expression/.
  std::string Kernel;
  /// Criteria such as "registers:+8" that hold for them, too.
  std::vector<std::string> FailOn;
  /// Criteria that do not hold for them, by their words: "registers".
  std::vector<std::string> Allow;
  /// The last day on which Allow counts: "2026-03-01"; empty: every day.
  std::string Until;
  /// Why: "#123".
  std::string Reason;
  /// "FILE:LINE".
  std::string Source;

  bool operator==(const GateException &) const = default;
};

/// What a configuration file says; what it does not say is absent.
struct Config {
  /// The file; empty when there is none.
  std::string File;
  /// Name or path of a device database.
  std::optional<std::string> Device;
  std::optional<Sourced<Dim3>> DefaultBlock;
  std::vector<LaunchSpec> Launches;
  /// Findings with a smaller predicted gain are left out.
  std::optional<double> MinimumGain;
  /// The same for single rules, by their names.
  std::map<std::string, double> MinimumGainOfRule;
  /// Names of rules to leave out.
  std::vector<std::string> Suppress;
  /// In the order of the file.
  std::vector<GateException> Gate;

  bool operator==(const Config &) const = default;
};

/// Reads a configuration from \p Text. \p RuleNames are the valid entries of
/// findings.suppress.
///
/// Fails on the first thing that is not understood; the error names
/// \p FileName, line and column, what is wrong, and the nearest valid key.
llvm::Expected<Config> parseConfig(llvm::StringRef Text,
                                   llvm::StringRef FileName,
                                   llvm::ArrayRef<llvm::StringRef> RuleNames);

/// Reads the file at \p Path; fails when it cannot be read or as parseConfig
/// does.
llvm::Expected<Config> loadConfig(llvm::StringRef Path,
                                  llvm::ArrayRef<llvm::StringRef> RuleNames);

/// The path of the `.gpu-occupancy` nearest to \p SourceFile: in its directory
/// or one above; empty when there is none.
std::string findConfig(llvm::StringRef SourceFile);

} // namespace gpuocc

#endif // GPUOCC_CONFIG_CONFIG_H
