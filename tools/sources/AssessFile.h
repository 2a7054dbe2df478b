//===- AssessFile.h - A source file to a report ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_ASSESSFILE_H
#define GPUOCC_TOOLS_SOURCES_ASSESSFILE_H

#include "ReadSource.h"
#include "driver/Arguments.h"
#include "driver/Session.h"
#include "gpuocc/Config/UnmatchedLaunches.h"

namespace gpuocc {

/// What the subcommands that read sources have in common.
struct AssessFileOptions {
  /// A source that is named to this command, and not compiled with the plugin,
  /// is built by nvcc unless the user says otherwise.
  /// GPU_OCCUPANCY_CODE in the environment is what --code is by default.
  AssessFileOptions();

  SessionOptions Session;
  SourceOptions Source;
  /// Of --devices: each kernel is assessed on each of them. Empty: on one.
  std::vector<std::string> Devices;
  /// The user says who builds the program.
  bool BuiltByIsGiven = false;

  /// Their rows of the option table; they point into this object.
  std::vector<OptionRow> rows();
};

/// Takes the devices out of \p Options.Devices that cannot be loaded, and says
/// why on standard error. \p Given, if not null, are the options as they were
/// given, and follow. Fails where none is left.
/// \returns whether there were any.
llvm::Expected<bool>
dropUnknownDevices(AssessFileOptions &Options,
                   std::vector<std::string> *Given = nullptr);

/// Fails where \p Options hold a mistake whatever the file is: a launch that is
/// none, a device that cannot be loaded, a missing compiler.
llvm::Error checkForAllFiles(const AssessFileOptions &Options);

/// Reads and assesses \p File. What could not be assessed is noted on standard
/// error. \p Unmatched, if not null, learns of the launches in its
/// configuration. \p IsPartial, if not null, is set where kernels of the file
/// could not be read, which is noted too. With --devices each kernel is
/// assessed on each of them; the code is read once for each architecture.
llvm::Expected<Report> assessFile(llvm::StringRef File,
                                  const AssessFileOptions &Options,
                                  UnmatchedLaunches *Unmatched = nullptr,
                                  bool *IsPartial = nullptr);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_ASSESSFILE_H
