//===- gemmswap.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A product of matrices whose neighbouring threads have rows; cure: columns.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
__global__ void fast(const float *a, const float *b, float *c, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
int main() {
  const int n = 1024;
  float *a = numbers<float>(n * n), *b = numbers<float>(n * n),
        *c = numbers<float>(n * n);
  timeLaunches("gemmswap,slow", beginClean, [&] {
    slow<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  });
  timeLaunches("gemmswap,fast", beginClean, [&] {
    fast<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  });
}
