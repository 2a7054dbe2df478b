//===- RepeatedLaunches.h - Launches that change nothing --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_REPEATEDLAUNCHES_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_REPEATEDLAUNCHES_H

#include "KernelTable.h"
#include "Launch.h"
#include <mutex>
#include <set>
#include <string>

namespace gpuocc::recorder {

/// Knows launches that would write what memory holds already: programs launch a
/// kernel a thousand times to measure it.
class RepeatedLaunches {
public:
  /// True where \p K, which may be repeated, has run with the arguments of
  /// \p Request, and no array that these lead to has changed since.
  bool isRepeat(const ProgramKernel &K, const LaunchRequest &Request);
  /// \p K has run, and its arrays have their new versions.
  void noteRun(const ProgramKernel &K, const LaunchRequest &Request);
  /// The host has written to a variable of the device.
  void noteVariable();
  /// It may, from now on, at any time.
  void noteVariableAddress();

private:
  /// What decides the launch; empty where something else may.
  std::string keyOf(const ProgramKernel &K, const LaunchRequest &Request) const;

  std::mutex Lock;
  std::set<std::string> Done;
  unsigned VariableVersion = 0;
  bool VariablesAreOpen = false;
};

RepeatedLaunches &repeatedLaunches();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_REPEATEDLAUNCHES_H
