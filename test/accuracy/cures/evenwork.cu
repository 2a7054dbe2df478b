//===- evenwork.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each second thread works; cure: the first half of the threads.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float work(float x) {
#pragma unroll 1
  for (int k = 0; k < 64; k++)
    x = sinf(x) + 0.5f;
  return x;
}
__global__ void slow(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0)
    y[i] = work(x[i]);
}
__global__ void fast(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < n)
    y[2 * i] = work(x[2 * i]);
}
int main() {
  const int n = 1 << 22;
  float *x = numbers<float>(n), *y = numbers<float>(n);
  timeLaunches("evenwork,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, y, n); });
  timeLaunches("evenwork,fast", beginClean,
               [&] { fast<<<n / 512, 256>>>(x, y, n); });
}
