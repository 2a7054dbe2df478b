//===- fewblocks.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Four blocks go through an array; cure: as many as the GPU holds.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, float *y, int n, float a) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    y[i] += a * x[i];
}
int main() {
  const int n = 1 << 22;
  float *x = numbers<float>(n), *y = numbers<float>(n);
  timeLaunches("fewblocks,slow", beginClean,
               [&] { slow<<<4, 1024>>>(x, y, n, 2.0f); });
  timeLaunches("fewblocks,fast", beginClean,
               [&] { slow<<<1056, 256>>>(x, y, n, 2.0f); });
}
