//===- RecordedSpec.h - A recorded launch as configuration ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_RECORDEDSPEC_H
#define GPUOCC_TOOLS_DRIVER_RECORDEDSPEC_H

#include "gpuocc/Config/LaunchSpec.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Toolchain/RecordedLaunch.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

struct ArchLimits;

/// What the recorder is told of \p Facts on a device of \p Limits; the contents
/// of arrays are wanted where they decide what the kernel does.
RecordableKernel recordable(const KernelFacts &Facts, const ArchLimits &Limits);

/// \p L, of the kernel \p Facts, with its arguments by position: numbers,
/// structs by their bytes, and null pointers. Addresses of memory say nothing.
LaunchSpec specOfRecord(const RecordedLaunch &L, const KernelFacts &Facts);

/// Writes \p Spec, whose arguments are by position, as an entry of the
/// `launches:` of a configuration file.
void writeLaunch(const LaunchSpec &Spec, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_RECORDEDSPEC_H
