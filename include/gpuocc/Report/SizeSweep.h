//===- SizeSweep.h - Times over sizes of a problem --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_SIZESWEEP_H
#define GPUOCC_REPORT_SIZESWEEP_H

#include <cstdint>
#include <string>
#include <vector>

namespace gpuocc {

/// The predicted time for one size.
struct SweepPoint {
  uint64_t Elements = 0;
  /// Blocks in x and y that are taken to be launched for them.
  uint64_t GridX = 1, GridY = 1;
  double TimeNs = 0;

  double nsPerElement() const { return TimeNs / double(Elements); }
  bool operator==(const SweepPoint &) const = default;
};

/// Times of a kernel whose launch is not given, where it follows from the size
/// of the problem. Each rests on an assumed launch, so that nothing is promised
/// for it.
struct SizeSweep {
  /// The arguments that bound the indices of threads, as options spell them:
  /// "n", or "w" and "h".
  std::vector<std::string> Sizes;
  /// Dimensions of the grid that the sizes bound: 1, or 2 of equal extent.
  unsigned Dimensions = 1;
  /// Threads go on by the size of the grid: it is taken as large as the SMs
  /// hold at a time. Otherwise it reaches each element once.
  bool Strides = false;
  /// By Elements.
  std::vector<SweepPoint> Points;
  bool operator==(const SizeSweep &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_REPORT_SIZESWEEP_H
