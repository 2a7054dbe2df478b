//===- matvec16.cu - two short rows a warp ---------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *m, const float *x, float *y, int rows) {
  int r = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (r < rows) {
    float sum = 0;
    for (int c = lane; c < 16; c += 32)
      sum += m[r * 16 + c] * x[c];
    for (int d = 16; d > 0; d /= 2)
      sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
      y[r] = sum;
  }
}
__global__ void fast(const float *m, const float *x, float *y, int rows) {
  int half = threadIdx.x / 16, lane = threadIdx.x % 16;
  int r = (blockIdx.x * blockDim.y + threadIdx.y) * 2 + half;
  if (r < rows) {
    float sum = m[r * 16 + lane] * x[lane];
    for (int d = 8; d > 0; d /= 2)
      sum += __shfl_down_sync(~0u, sum, d, 16);
    if (lane == 0)
      y[r] = sum;
  }
}
int main() {
  const int rows = 1 << 21;
  float *m = numbers<float>(16 * rows), *x = numbers<float>(16);
  float *y = numbers<float>(rows);
  dim3 block(32, 4);
  timeLaunches("matvec16,slow", beginClean,
               [&] { slow<<<rows / 4, block>>>(m, x, y, rows); });
  timeLaunches("matvec16,fast", beginClean,
               [&] { fast<<<rows / 8, block>>>(m, x, y, rows); });
}
