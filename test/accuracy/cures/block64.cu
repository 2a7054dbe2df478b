//===- block64.cu - larger blocks ------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = a[i] * a[i];
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = a[i] * a[i];
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("block64,slow", beginClean,
               [&] { slow<<<n / 64, 64>>>(a, b, n); });
  timeLaunches("block64,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
