//===- stencilz.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Threads along the axis that lies farthest apart; cure: along x.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  int z = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y + 1;
  if (z < 1 || z >= n - 1)
    return;
  for (int x = 1; x < n - 1; x++) {
    int at = (z * n + y) * n + x;
    b[at] = 0.4f * a[at] + 0.1f * (a[at - 1] + a[at + 1] + a[at - n] +
                                   a[at + n] + a[at - n * n] + a[at + n * n]);
  }
}
__global__ void fast(const float *a, float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y + 1;
  if (x < 1 || x >= n - 1)
    return;
  for (int z = 1; z < n - 1; z++) {
    int at = (z * n + y) * n + x;
    b[at] = 0.4f * a[at] + 0.1f * (a[at - 1] + a[at + 1] + a[at - n] +
                                   a[at + n] + a[at - n * n] + a[at + n * n]);
  }
}
__global__ void lanes(const float *a, float *b, int n) {
  int z = blockIdx.x * blockDim.y + threadIdx.y, y = blockIdx.y + 1;
  if (z < 1 || z >= n - 1)
    return;
  for (int x = 1 + threadIdx.x; x < n - 1; x += 32) {
    int at = (z * n + y) * n + x;
    b[at] = 0.4f * a[at] + 0.1f * (a[at - 1] + a[at + 1] + a[at - n] +
                                   a[at + n] + a[at - n * n] + a[at + n * n]);
  }
}
int main() {
  const int n = 256;
  float *a = numbers<float>(n * n * n), *b = numbers<float>(n * n * n);
  timeLaunches("stencilz,slow", beginClean,
               [&] { slow<<<dim3(n / 128, n - 2), 128>>>(a, b, n); });
  timeLaunches("stencilz,fast", beginClean,
               [&] { fast<<<dim3(n / 128, n - 2), 128>>>(a, b, n); });
  timeLaunches("stencilz,lanes", beginClean,
               [&] { lanes<<<dim3(n / 4, n - 2), dim3(32, 4)>>>(a, b, n); });
}
