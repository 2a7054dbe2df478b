//===- addrows.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread adds a row; cure: a thread for each element.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *b, float *c, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n)
    for (int k = 0; k < n; k++)
      c[r * n + k] = a[r * n + k] + b[r * n + k];
}
__global__ void fast(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    c[y * n + x] = a[y * n + x] + b[y * n + x];
}
int main() {
  const int n = 2048;
  float *a = numbers<float>(n * n), *b = numbers<float>(n * n),
        *c = numbers<float>(n * n);
  timeLaunches("addrows,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, c, n); });
  timeLaunches("addrows,fast", beginClean,
               [&] { fast<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, c, n); });
}
