//===- Session.h - From facts and options to a report ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every face does between reading facts and showing a report: find the
/// configuration, the device and the launches, and assess.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_SESSION_H
#define GPUOCC_TOOLS_DRIVER_SESSION_H

#include "gpuocc/Config/Config.h"
#include "gpuocc/Kernel/HostLaunch.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Support/Mechanism.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <optional>
#include <set>

namespace gpuocc {

struct AssessOptions;
struct ChosenDevice;

/// Reports that somebody has of an earlier run, such as an editor, by their
/// keys (\see ReportKeys).
struct KnownReports {
  struct Entry {
    std::string Key;
    /// It is one of Keys, and not in SessionResult::What.
    bool IsLeftOut = false;
  };
  std::set<std::string> Keys;
  /// Filled by Session::assessAll(): all reports in their order.
  std::vector<Entry> All;
};

/// What a user may say on a command line.
struct SessionOptions {
  /// Name or path of a device; empty: the configuration's, or the built-in one
  /// of the architecture.
  std::string Device;
  /// Path of a configuration; empty: the one nearest to the source.
  std::string ConfigPath;
  /// Texts of --launch.
  std::vector<std::string> Launches;
  /// Findings with a smaller predicted gain are left out, whatever the
  /// configuration says.
  std::optional<double> MinimumGain;
  /// Look for launch bounds and block sizes that pay.
  bool Advise = false;
  /// Predict kernels without a launch over sizes of their problem.
  bool SweepSizes = false;
  /// As QuestionBudget::Steps, of the kernels of a module; none for no limit.
  std::optional<uint64_t> QuestionSteps;
  /// One module of a program: launches may be meant for kernels of others.
  /// Those that fit none here are notes instead of errors.
  bool IsOneOfMany = false;
  /// One file of a set that is analyzed together: the caller checks that the
  /// kernels of Launches exist in one of them.
  bool IsOneOfSet = false;
  /// Sources whose text is in another file, such as those that an editor has
  /// not saved: their absolute path, and that of the text.
  std::map<std::string, std::string> Buffers;
  /// What predictions are made with.
  Mechanisms Used;
  /// Not owned; null: all reports are made.
  KnownReports *Known = nullptr;
};

/// Something that could not be assessed and is not the user's mistake.
struct SessionNote {
  /// Name of the kernel in the module; empty: it is about all of them.
  std::string Kernel;
  std::string Text;
  /// A launch in host code that cannot run: worth a warning.
  bool IsWarning = false;
  /// The report has a finding that says the same.
  bool IsInReport = false;
};

struct SessionResult {
  Report What;
  std::vector<SessionNote> Notes;
  /// Launches that the user asked for and that could not be assessed, where
  /// What has others. Each names its kernel.
  std::vector<std::string> Refused;
};

/// The text of Report::Tool.
std::string toolVersion();

/// Options, read and checked.
class Session {
public:
  /// Reads the configuration for \p SourceFile and the launches. Fails on the
  /// first thing that is not understood.
  static llvm::Expected<Session> create(const SessionOptions &Options,
                                        llvm::StringRef SourceFile);

  /// What code is compiled for that is assessed on the device that options or
  /// configuration name (codeArchitecture); empty when they name none. Fails
  /// when it cannot be loaded.
  llvm::Expected<std::string> architecture() const;

  /// What the configuration says; nothing where there is none.
  const Config &config() const { return File; }

  /// Assesses every launch of \p Kernels, the kernels of one module; a kernel
  /// with both views is assessed by its machine code.
  /// \p HostLaunches were read in the host code of its source. Fails when
  /// options name no kernel, when options or configuration contradict all
  /// kernels, and when there is no usable device for their architecture.
  llvm::Expected<SessionResult>
  assessAll(std::vector<KernelFacts> Kernels,
            llvm::ArrayRef<HostLaunch> HostLaunches);

private:
  Session() = default;

  llvm::StringRef namedDevice() const;
  AssessOptions assessOptions(const ChosenDevice &Chosen) const;

  std::string DeviceOption;
  std::optional<double> MinimumGain;
  bool Advise = false;
  bool SweepSizes = false;
  std::optional<uint64_t> QuestionSteps;
  bool IsOneOfMany = false;
  bool IsOneOfSet = false;
  std::map<std::string, std::string> Buffers;
  Mechanisms Used;
  KnownReports *Known = nullptr;
  Config File;
  std::vector<LaunchSpec> Launches;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_SESSION_H
