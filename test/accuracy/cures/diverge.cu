//===- diverge.cu - converge a branch --------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i];
  if (threadIdx.x % 2) {
    for (int k = 0; k < 64; k++)
      v = v * v + 1.5f;
  } else {
    for (int k = 0; k < 64; k++)
      v = v * v - 0.5f;
  }
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i];
  if (threadIdx.x / 32 % 2) {
    for (int k = 0; k < 64; k++)
      v = v * v + 1.5f;
  } else {
    for (int k = 0; k < 64; k++)
      v = v * v - 0.5f;
  }
  b[i] = v;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("diverge,slow", begin, [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("diverge,fast", begin, [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
