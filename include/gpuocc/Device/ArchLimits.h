//===- ArchLimits.h - What an architecture can hold per SM -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The limits of a compute capability that decide how many blocks an SM holds.
/// They come from lib/Device/data/architectures.json, which is built in.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_ARCHLIMITS_H
#define GPUOCC_DEVICE_ARCHLIMITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// Resource limits of one compute capability. A limit that the sources do not
/// state is absent; \see missingForOccupancy.
struct ArchLimits {
  /// "sm_90".
  std::string Name;
  /// "Hopper".
  std::string Family;
  /// Documents the limits were read in.
  std::vector<std::string> Sources;

  std::optional<unsigned> MaxWarpsPerSm;
  std::optional<unsigned> MaxBlocksPerSm;
  std::optional<unsigned> MaxThreadsPerSm;
  std::optional<unsigned> MaxThreadsPerBlock;

  /// 32-bit registers.
  std::optional<unsigned> RegistersPerSm;
  std::optional<unsigned> RegistersPerBlock;
  std::optional<unsigned> MaxRegistersPerThread;
  /// Registers are given to a warp in multiples of this many.
  std::optional<unsigned> RegisterAllocationUnit;
  /// Parts into which the registers and warps of an SM are divided.
  std::optional<unsigned> SubpartitionsPerSm;
  /// The warps of a block are rounded up to a multiple of this when a launch
  /// is checked against RegistersPerBlock.
  std::optional<unsigned> WarpAllocationGranularity;

  /// Most shared memory an SM gives to blocks.
  std::optional<unsigned> SharedBytesPerSm;
  /// Most shared memory of a block that did not opt in to more.
  std::optional<unsigned> SharedBytesPerBlock;
  /// Most shared memory of a block that did.
  std::optional<unsigned> SharedBytesPerBlockOptin;
  /// Shared memory the driver keeps per block, beside what the kernel uses.
  unsigned ReservedSharedBytesPerBlock = 0;
  /// Shared memory is given to a block in multiples of this many bytes.
  std::optional<unsigned> SharedAllocationUnit;
  /// Sizes the shared part of L1 can be set to, ascending; empty where shared
  /// memory is apart from L1.
  std::vector<unsigned> SharedCarveoutBytes;

  /// Block barriers an SM has; absent where they do not limit occupancy.
  std::optional<unsigned> BarriersPerSm;
  /// Block barriers one block can use.
  unsigned MaxBarriersPerBlock = 0;
  /// Blocks of a cluster that every launch may use; 0 without clusters.
  unsigned MaxClusterBlocks = 0;
  /// Blocks of a cluster of a kernel that allows non-portable sizes.
  unsigned MaxClusterBlocksNonPortable = 0;

  /// Names of limits that occupancy needs and the sources do not state; empty
  /// for every architecture from sm_50.
  std::vector<llvm::StringRef> missingForOccupancy() const;

  bool operator==(const ArchLimits &) const = default;
};

/// All architectures in the database, oldest first.
llvm::ArrayRef<ArchLimits> allArchLimits();

/// The limits of \p Arch ("sm_90"; the features of "sm_90a" and "sm_100f" do
/// not change them).
///
/// Fails when the architecture is not in the database, naming the nearest one.
llvm::Expected<const ArchLimits &> archLimits(llvm::StringRef Arch);

/// Limits in the form of architectures.json, or an error naming \p FileName,
/// place, what is wrong and the nearest valid key.
llvm::Expected<std::vector<ArchLimits>>
parseArchLimits(llvm::StringRef Text, llvm::StringRef FileName);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_ARCHLIMITS_H
