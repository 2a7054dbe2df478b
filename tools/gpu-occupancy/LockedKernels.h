//===- LockedKernels.h - What to write into a lock file ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_LOCKEDKERNELS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_LOCKEDKERNELS_H

#include "gpuocc/Config/LaunchSpec.h"
#include "gpuocc/Lock/LockFile.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Report/ReportSummary.h"
#include <map>
#include <set>
#include <tuple>

namespace gpuocc {

/// Adds the kernels of \p R, a report on sources, to \p Lock: what the
/// assembler gave them, and the predictions of launches that are known.
void addReport(const Report &R, LockFile &Lock);

/// The kernels of many reports, each of which is let go once it was added: what
/// is held grows with the kernels and launches, not with the reports.
class SummariesToLock {
public:
  /// \p Summary names the architectures of its kernels.
  void add(const ReportSummary &Summary);
  /// Adds what was added to \p Lock.
  void moveTo(LockFile &Lock);

private:
  using Count = std::optional<uint64_t>;
  /// Name, architecture, file, and what the assembler gave: sources that are
  /// compiled twice may take different arguments.
  using Key = std::tuple<std::string, std::string, std::string, Count, Count,
                         Count, Count>;
  std::map<Key, LockedKernel> Kernels;
  std::set<std::string> Compilers, Devices;
};

/// How the kernels of binaries are launched.
struct BinaryOptions {
  /// Texts of --launch.
  std::vector<LaunchSpec> Launches;
  /// Path of a configuration; empty: the one nearest to each file.
  std::string ConfigPath;
  /// Files at once; 0: as many as cores.
  unsigned NumJobs = 0;
};

/// Adds the kernels of the binaries \p Files to \p Lock: registers, local
/// memory, shared memory and blocks per SM as ELF says them, for launches that
/// are known or else for the block of the launch bound. Nothing is run. Fails
/// with one line for the first file that is damaged or holds no device code.
llvm::Error addBinaries(llvm::ArrayRef<std::string> Files,
                        const BinaryOptions &Options, LockFile &Lock);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_LOCKEDKERNELS_H
