//===- rowlaunch24.cu - one launch for all rows, by warps ------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const float *g, float *y, int cols) {
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    s += x[c] * x[c];
  for (int o = 16; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  float k = rsqrtf(s / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32)
    y[c] = k * g[c] * x[c];
}
__global__ void merged(const float *x, const float *g, float *y, int cols) {
  x += (size_t)blockIdx.y * cols;
  y += (size_t)blockIdx.y * cols;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    s += x[c] * x[c];
  for (int o = 16; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  float k = rsqrtf(s / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32)
    y[c] = k * g[c] * x[c];
}
int main() {
  const int rows = 2048, cols = 1024;
  float *x = numbers<float>(rows * cols), *g = numbers<float>(cols),
        *y = numbers<float>(rows * cols);
  timeLaunches("rowlaunch24,slow cold", beginClean, [&] {
    for (int r = 0; r < rows; r++)
      slow<<<1, 32>>>(x + r * cols, g, y + r * cols, cols);
  });
  timeLaunches(
      "rowlaunch24,slow warm",
      [] {
        cudaDeviceSynchronize();
        cudaEventRecord(b0);
      },
      [&] {
        for (int r = 0; r < rows; r++)
          slow<<<1, 32>>>(x + r * cols, g, y + r * cols, cols);
      });
  timeLaunches("rowlaunch24,merged cold", beginClean,
               [&] { merged<<<dim3(1, rows), 32>>>(x, g, y, cols); });
  timeLaunches(
      "rowlaunch24,merged warm",
      [] {
        cudaDeviceSynchronize();
        cudaEventRecord(b0);
      },
      [&] { merged<<<dim3(1, rows), 32>>>(x, g, y, cols); });
}
