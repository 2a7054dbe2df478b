//===- Meetings.h - Warps of a block that meet at barriers ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_MEETINGS_H
#define GPUOCC_LIB_MODEL_LATENCY_MEETINGS_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gpuocc {

/// How long the kinds of warps of a block take from one barrier to the next.
/// Each kind is walked alone and in turn. A barrier releases all warps at once,
/// so that what one kind does between two barriers does not depend on the
/// others, and the slowest of them decides.
class Meetings {
public:
  /// The next kind of warp begins.
  void beginWarp() { std::fill(Visits.begin(), Visits.end(), 0); }

  /// The warp comes to barrier \p Number, \p Cycles after the one before it.
  /// \returns the cycles of the slowest kind so far, at the same visit.
  double meet(size_t Number, double Cycles) {
    if (Number >= Visits.size()) {
      Visits.resize(Number + 1);
      MostOf.resize(Number + 1);
    }
    std::vector<double> &Most = MostOf[Number];
    const size_t Visit = Visits[Number]++;
    if (Visit >= Most.size())
      Most.resize(Visit + 1);
    return Most[Visit] = std::max(Most[Visit], Cycles);
  }

private:
  /// By number of the barrier.
  std::vector<size_t> Visits;
  std::vector<std::vector<double>> MostOf;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_MEETINGS_H
