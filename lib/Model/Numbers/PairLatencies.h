//===- PairLatencies.h - Latencies by producer and consumer -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_NUMBERS_PAIRLATENCIES_H
#define GPUOCC_LIB_MODEL_NUMBERS_PAIRLATENCIES_H

#include "gpuocc/Device/InstTiming.h"
#include <vector>

namespace gpuocc {

class Numbers;

/// By how much a result is there later (or sooner) for those that use it than
/// the latency of its producer says, which was measured with a consumer of the
/// same class.
class PairLatencies {
public:
  /// Of the device that \p N reads.
  explicit PairLatencies(Numbers &N);

  /// Cycles; negative where the consumer can begin sooner. What was not
  /// measured for the classes of \p D is the median of what was for others of
  /// the same two pipes, and 0 within one pipe.
  double extraCycles(const Dependence &D) const;

private:
  static constexpr size_t NumUses = 3;
  static size_t indexOf(const Dependence &D);

  std::vector<double> Extra;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_NUMBERS_PAIRLATENCIES_H
