//===- L2Slices.h - Slices of L2 that serve a few lines ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_BOUNDS_L2SLICES_H
#define GPUOCC_LIB_MODEL_BOUNDS_L2SLICES_H

#include "gpuocc/Device/FlatDevice.h"
#include <optional>

namespace gpuocc {

/// Where the words lie that all SMs ask for at a time.
struct Places {
  double Sectors = 1;
  std::optional<double> SpanBytes;
};

/// Slices that serve the words at \p At, of \p All: pieces of L2SliceBytes lie
/// in slices by a hash, some of them in one, which takes as much longer.
///
/// Source: H100, reductions on 1 to 32 sectors 4096 bytes apart
/// (hot-sectors.csv of 2026-11-25): 2, 4, 8, 16 and 32 have 1.9, 3.7, 6.6, 11.6
/// and 16.9 times the rate of one; here 2, 3.7, 6.9, 11.9 and 18.7.
double slicesOf(bool Returns, const Places &At, std::optional<double> All,
                const FlatDevice &D);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_BOUNDS_L2SLICES_H
