//===- local.cu - keep in registers ----------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float t[8];
  for (int k = 0; k < 8; k++)
    t[k] = a[i] * k;
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < m; k++)
    s += t[(k * 3) & 7];
  b[i] = s;
}
__global__ void fast(const float *a, float *b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float t[8];
  for (int k = 0; k < 8; k++)
    t[k] = a[i] * k;
  float s = 0;
#pragma unroll
  for (int k = 0; k < 8; k++)
    s += t[(k * 3) & 7];
  b[i] = s;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("local,slow", begin,
               [&] { slow<<<n / 256, 256>>>(a, b, n, 8); });
  timeLaunches("local,fast", begin,
               [&] { fast<<<n / 256, 256>>>(a, b, n, 8); });
}
