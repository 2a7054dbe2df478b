//===- LaunchCheck.h - Launches that a device refuses -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHCHECK_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHCHECK_H

#include "KernelTable.h"
#include "Launch.h"

namespace gpuocc::recorder {

/// Threads of a block that a launch of \p K may have.
int mostThreads(const ProgramKernel &K);

/// Dynamic shared memory that a launch of \p K may ask for, in bytes.
long long mostDynamicShared(const ProgramKernel &K);

/// Blocks of \p K with \p BlockSize threads and \p SharedBytes of dynamic
/// shared memory that an SM holds.
long long blocksPerSm(const ProgramKernel &K, int BlockSize,
                      size_t SharedBytes);

/// The error of CUDA's runtime for \p Request of \p K; 0 where the device takes
/// it.
int launchError(const ProgramKernel &K, const LaunchRequest &Request);

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_LAUNCHCHECK_H
