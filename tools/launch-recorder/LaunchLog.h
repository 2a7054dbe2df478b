//===- LaunchLog.h - Launches, written down ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHLOG_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHLOG_H

#include "KernelTable.h"
#include "Launch.h"
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace gpuocc::recorder {

/// Where goes what is kept of a launch while it runs; empty: nowhere.
struct WatchFiles {
  /// What its threads read, and the turns of its loops.
  std::string Seen, Turns;
  bool isAny() const { return !Seen.empty() || !Turns.empty(); }
};

/// Writes down each different launch once.
class LaunchLog {
public:
  /// Opens the files that the environment names; without them nothing is
  /// written.
  LaunchLog();

  /// A launch of \p K. Where kernels do nothing, ends the program when it was
  /// the last launch that was wanted.
  WatchFiles add(const ProgramKernel &K, const LaunchRequest &Request);

  /// A launch of \p K has run. Ends the program when it was the last of those
  /// that are compared with a device.
  void noteRun(const ProgramKernel &K);

  /// What \p K writes is what memory holds; \p HasRun: it has written it.
  static void noteWritten(const ProgramKernel &K, void **Arguments,
                          bool HasRun);

  /// Writes \p Text down for the user, once.
  void note(const std::string &Text);
  /// A kernel ran and failed.
  void noteFailure();

private:
  using Parameter = KernelDescription::Parameter;

  /// An array that was written to a file.
  struct KeptArray {
    std::string File;
    uint64_t Version = 0;
  };

  std::string argumentText(const Parameter &P, const void *Argument,
                           bool MayWrite);
  /// The name of a file with what is behind \p Pointer; empty where it is not
  /// known or not kept. \p MayWrite: a file may be written for it.
  std::string fileOfArray(const void *Pointer, bool MayWrite);
  WatchFiles watchFiles(const ProgramKernel &K, bool IsSampled);
  std::string writeArray(const void *Pointer, size_t Bytes);
  /// Are the arrays of launch \p Index of a shape, from 0, written down where
  /// kernels run?
  bool isSampled(uint64_t Index) const;

  std::mutex Lock;
  std::FILE *File = nullptr;
  /// Where the contents of arrays go; empty: nowhere.
  std::string MemoryFolder;
  unsigned NumArrays = 0, NumSeen = 0;
  /// Kernels run: arrays differ from launch to launch.
  bool KernelsRun = false;
  /// Bytes of arrays that later launches of a shape had written.
  size_t LaterBytes = 0;
  /// By address and bytes.
  std::map<std::pair<const void *, size_t>, KeptArray> KeptArrays;
  /// Files by what they hold: a digest and bytes.
  std::map<std::pair<uint64_t, size_t>, std::string> FilesByContents;
  /// "kernel gx gy gz bx by bz"; where kernels do nothing, until seen.
  std::set<std::string> Wanted;
  bool HasWanted = false;
  /// Their kernels, and how many launches of these are still to come, where
  /// kernels run.
  std::set<std::string> WantedKernels;
  size_t LaunchesLeft = 0;
  /// Launches that were written down, with their place in the file.
  std::map<std::string, size_t> Written;
  struct Shape {
    uint64_t NumLaunches = 0;
    /// Launches that had an array written.
    unsigned NumKept = 0;
    /// The last launch that was written down with its arrays.
    size_t LastSampled = 0;
  };
  /// By "kernel gx gy gz bx by bz".
  std::map<std::string, Shape> Shapes;
  std::set<std::string> Notes;
};

/// The log of the program.
LaunchLog &launchLog();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHLOG_H
