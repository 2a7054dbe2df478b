//===- Pattern.h - A lane pattern in words ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_MEMORY_PATTERN_H
#define GPUOCC_LIB_LANES_MEMORY_PATTERN_H

#include "Memory/Folding.h"
#include <optional>
#include <string>

namespace gpuocc {

/// Bytes from each active lane to the next active neighbour when all agree;
/// nothing when they differ or no two neighbours are active.
std::optional<int64_t> laneStride(const RequestAddresses &R);

/// "lanes 0..31 touch 32 sectors, 128 B apart".
std::string describePattern(const RequestAddresses &R, MemorySpace Space,
                            const RequestCost &Cost,
                            const MemoryGeometry &Geometry);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_MEMORY_PATTERN_H
