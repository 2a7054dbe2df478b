//===- rowsoft.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Softmax of a row by one thread in three passes; cure: a warp for each.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, float *y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float most = -1e30f, sum = 0;
  for (int k = 0; k < n; k++)
    most = fmaxf(most, x[r * n + k]);
  for (int k = 0; k < n; k++)
    sum += expf(x[r * n + k] - most);
  for (int k = 0; k < n; k++)
    y[r * n + k] = expf(x[r * n + k] - most) / sum;
}
__global__ void fast(const float *x, float *y, int rows, int n) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows)
    return;
  float most = -1e30f, sum = 0;
  for (int k = lane; k < n; k += 32)
    most = fmaxf(most, x[r * n + k]);
  for (int d = 16; d > 0; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  for (int k = lane; k < n; k += 32)
    sum += expf(x[r * n + k] - most);
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  for (int k = lane; k < n; k += 32)
    y[r * n + k] = expf(x[r * n + k] - most) / sum;
}
int main() {
  const int rows = 8192, n = 512;
  float *x = numbers<float>(rows * n), *y = numbers<float>(rows * n);
  timeLaunches("rowsoft,slow", beginClean,
               [&] { slow<<<rows / 128, 128>>>(x, y, rows, n); });
  timeLaunches("rowsoft,fast", beginClean,
               [&] { fast<<<rows / 4, 128>>>(x, y, rows, n); });
}
