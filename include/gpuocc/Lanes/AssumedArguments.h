//===- AssumedArguments.h - Arguments that are not given --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LANES_ASSUMEDARGUMENTS_H
#define GPUOCC_LANES_ASSUMEDARGUMENTS_H

#include "gpuocc/Lanes/ProfileLanes.h"
#include <string>
#include <vector>

namespace gpuocc {

/// An integer argument, or a member of one, that the launch does not give and
/// that addresses, branches or loops rest on.
struct AssumedArgument {
  /// In parameter memory; a key of Launch::Members.
  unsigned OffsetBytes = 0;
  unsigned SizeBytes = 4;
  /// As options and configurations spell it: "n", "#2", "args+8".
  std::string Name;
  /// What profileLanes() takes for it.
  int64_t Value = 0;
  /// A larger value that it may have as well: indices of the grid stay below
  /// it, loops repeat more often, rows lie further apart.
  int64_t Another = 0;
  /// The dimensions of the grid whose indices stay below it, bit 0 for x; 0
  /// where it bounds none, or only in a product with others.
  uint8_t ExtentOf = 0;
  bool operator==(const AssumedArgument &) const = default;
};

/// The arguments that profileLanes() assumes for \p L, in order of their
/// offsets.
std::vector<AssumedArgument> assumedArguments(const KernelFacts &Facts,
                                              const Launch &L,
                                              const LanesOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_LANES_ASSUMEDARGUMENTS_H
