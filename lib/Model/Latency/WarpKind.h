//===- WarpKind.h - Warps of a block that do the same -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_LATENCY_WARPKIND_H
#define GPUOCC_LIB_MODEL_LATENCY_WARPKIND_H

#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// Warps of a block that do the same.
struct WarpKind {
  ExecutionProfile Profile;
  /// How many of a block do as much as this, as far as requests of memory tell:
  /// a barrier waits for the slowest of these.
  double Warps = 1;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_LATENCY_WARPKIND_H
