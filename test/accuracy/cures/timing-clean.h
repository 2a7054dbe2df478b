//===- timing-clean.h - Cures that begin with a clean L2 -------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_ACCURACY_CURES_TIMING_CLEAN_H
#define GPUOCC_TEST_ACCURACY_CURES_TIMING_CLEAN_H

#include "timing.h"

__global__ void fillL2(const int4 *d, int *never) {
  int4 x = d[size_t(blockIdx.x) * blockDim.x + threadIdx.x];
  if ((x.x ^ x.y ^ x.z ^ x.w) == 0x12345678)
    *never = 1;
}

/// Begins to time a launch, behind reads of more than L2 holds: nothing is left
/// to be written back meanwhile.
static void beginClean() {
  begin();
  fillL2<<<(1 << 23) / 256, 256>>>((const int4 *)flushed(), (int *)flushed());
  cudaEventRecord(b0);
}

#endif // GPUOCC_TEST_ACCURACY_CURES_TIMING_CLEAN_H
