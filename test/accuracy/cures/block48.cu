//===- block48.cu - a multiple of 32 threads -------------------*- CUDA -*-===//
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
  float v = a[i];
  for (int k = 0; k < 32; k++)
    v = v * 0.99f + 0.1f;
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i];
  for (int k = 0; k < 32; k++)
    v = v * 0.99f + 0.1f;
  b[i] = v;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("block48,slow", beginClean,
               [&] { slow<<<(n + 47) / 48, 48>>>(a, b, n); });
  timeLaunches("block48,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
