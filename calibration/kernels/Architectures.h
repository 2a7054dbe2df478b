//===- Architectures.h - The GPUs that kernels are written for -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The table of the architectures that microkernels are written for, with what
/// their GPUs have and the version of PTX that each needs. Needs no library.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_ARCHITECTURES_H
#define GPUOCC_CALIBRATION_KERNELS_ARCHITECTURES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuocc::calibration {

/// An architecture, and what a GPU of it has.
///
/// Source: CUDA C++ Programming Guide, "Compute Capabilities", tables of
/// technical specifications; SMs and L2 are those of one product, for
/// stand-ins.
struct ArchitectureFacts {
  unsigned Architecture;  ///< 90 for sm_90.
  const char *PtxVersion; ///< The lowest that knows it, but at least 8.0.
  unsigned SmCount;
  unsigned SharedBytesPerSm, SharedBytesPerBlock;
  unsigned ThreadsPerSm, BlocksPerSm;
  unsigned L2Bytes;
  unsigned ClockKHz, MemoryClockKHz, MemoryBusBits;
};

/// From the oldest, sm_70, to the newest.
llvm::ArrayRef<ArchitectureFacts> architectures();

/// The row of \p Architecture, or nothing.
const ArchitectureFacts *findArchitecture(unsigned Architecture);

/// The version of PTX that modules for \p Architecture state. For one that is
/// newer than the table: that of its last row.
llvm::StringRef ptxVersion(unsigned Architecture);

/// The release of CUDA whose driver is the first to take PTX of \p Version:
/// 12000 for 12.0.
unsigned cudaReleaseOf(llvm::StringRef Version);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_ARCHITECTURES_H
