//===- DecidingFactor.h - What decides a prediction -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_DECIDINGFACTOR_H
#define GPUOCC_LIB_ASSESS_DECIDINGFACTOR_H

#include <algorithm>

namespace gpuocc {

/// Heuristic: the factor by which times that were checked against hardware are
/// off at most nine of ten times is 1.4 to 1.7 (README.md). What changes less
/// is not told from the model's own error.
inline constexpr double DecidingFactor = 1.5;

/// What changes a quantity from \p A to \p B decides what a kernel does.
inline bool isFar(double A, double B) {
  return std::max(A, B) > DecidingFactor * std::min(A, B);
}

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_DECIDINGFACTOR_H
