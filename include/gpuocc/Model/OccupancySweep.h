//===- OccupancySweep.h - Occupancy over one resource ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_OCCUPANCYSWEEP_H
#define GPUOCC_MODEL_OCCUPANCYSWEEP_H

#include "gpuocc/Model/Occupancy.h"
#include <cstdint>
#include <vector>

namespace gpuocc {

/// A range of one resource over which occupancy stays the same.
struct OccupancyRange {
  /// Both ends belong to the range.
  uint64_t First = 0;
  uint64_t Last = 0;
  unsigned BlocksPerSm = 0;
  unsigned WarpsPerSm = 0;
  double Fraction = 0;

  bool operator==(const OccupancyRange &) const = default;
};

/// Occupancy of \p Block over registers per thread, from 1 to the most a
/// thread can have; ascending.
std::vector<OccupancyRange> occupancyOverRegisters(const ArchLimits &Limits,
                                                   const BlockResources &Block);

/// Occupancy of \p Block over shared memory per block in bytes, static and
/// dynamic together, from 0 to the most a block can have; ascending.
std::vector<OccupancyRange>
occupancyOverSharedBytes(const ArchLimits &Limits, const BlockResources &Block);

/// Occupancy of \p Block over threads per block, the multiples of 32 up to the
/// most a block can have; ascending.
std::vector<OccupancyRange> occupancyOverThreads(const ArchLimits &Limits,
                                                 const BlockResources &Block);

} // namespace gpuocc

#endif // GPUOCC_MODEL_OCCUPANCYSWEEP_H
