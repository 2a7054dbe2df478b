//===- productrow.cu - A kernel with one finding ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread for a row of a product; cure: for each element.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *b, float *c, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  for (int x = 0; x < n; x++) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += a[r * n + k] * b[k * n + x];
    c[r * n + x] = sum;
  }
}
__global__ void fast(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
__global__ void advised(const float *a, const float *b, float *c, int n) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
  for (int x = blockIdx.y * 32 + l; x < n; x += 32 * gridDim.y) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += a[r * n + k] * b[k * n + x];
    c[r * n + x] = sum;
  }
}
int main() {
  const int n = 512;
  float *a = numbers<float>(n * n), *b = numbers<float>(n * n),
        *c = numbers<float>(n * n);
  timeLaunches("productrow,slow", beginClean,
               [&] { slow<<<n / 32, 32>>>(a, b, c, n); });
  timeLaunches("productrow,fast", beginClean,
               [&] { fast<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, c, n); });
  timeLaunches("productrow,advised", beginClean,
               [&] { advised<<<dim3(n, 9), 32>>>(a, b, c, n); });
}
