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

namespace gpuocc {

/// Adds the kernels of \p R, a report on sources, to \p Lock: what the
/// assembler gave them, and the predictions of launches that are known.
void addReport(const Report &R, LockFile &Lock);

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
