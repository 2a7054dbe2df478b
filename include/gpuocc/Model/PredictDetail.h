//===- PredictDetail.h - How much to predict --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_PREDICTDETAIL_H
#define GPUOCC_MODEL_PREDICTDETAIL_H

#include <cstdint>

namespace gpuocc {

/// How much of a Prediction to fill.
enum class PredictDetail : uint8_t {
  Full,
  /// Without Needed, Curve and Latency.Path: enough to compare two variants of
  /// a kernel, at a fraction of the effort.
  Comparison,
};

} // namespace gpuocc

#endif // GPUOCC_MODEL_PREDICTDETAIL_H
