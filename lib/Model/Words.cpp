//===- Words.cpp - The words of the report for predictions ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Prediction.h"

using namespace gpuocc;

llvm::StringRef gpuocc::modeText(Mode M) {
  return M == Mode::LatencyBound ? "latency-bound" : "throughput-bound";
}
