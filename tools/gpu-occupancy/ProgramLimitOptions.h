//===- ProgramLimitOptions.h - Options for what a program may use *- C++-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_PROGRAMLIMITOPTIONS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_PROGRAMLIMITOPTIONS_H

#include "driver/Arguments.h"
#include "sources/HostProgram.h"

namespace gpuocc {

/// The options of commands that run a program.
class ProgramLimitOptions {
public:
  /// Those that go to \p Run, which has to live as long as the rows, and those
  /// that apply() hands to it.
  std::vector<OptionRow> rows(HostRun &Run);

  /// Hands on what was given. Fails for places that are not there, and where a
  /// sandbox is asked for and cannot be made. Where one is only the default, a
  /// note says that it cannot.
  llvm::Error apply(HostRun &Run) const;

private:
  llvm::Error chooseSandbox(HostRun &Run) const;

  std::string Sandbox = "auto";
  unsigned MemoryMiB = unsigned(halfOfMemoryBytes() >> 20);
  unsigned FileMiB = 1024;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_PROGRAMLIMITOPTIONS_H
