//===- RandomTime.h - Points in time that vary ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_RANDOMTIME_H
#define GPUOCC_MODEL_RANDOMTIME_H

namespace gpuocc {

/// A point in time that is normally distributed.
struct RandomTime {
  double MeanCycles = 0;
  /// Square of the standard deviation.
  double VarianceCycles2 = 0;
};

/// The later of two independent times, as the normal distribution with the same
/// mean and variance. It is later than both means where the two overlap: who
/// waits for two loads waits longer than for one.
///
/// Source: Clark 1961, "The greatest of a finite set of random variables",
/// equations (2) and (3) without correlation.
RandomTime laterOf(const RandomTime &A, const RandomTime &B);

/// Mean of the greatest of \p Count independent draws from the standard normal
/// distribution; 0 for one, 1.42 for 8. \p Count may lie between whole numbers.
double expectedGreatest(double Count);

} // namespace gpuocc

#endif // GPUOCC_MODEL_RANDOMTIME_H
