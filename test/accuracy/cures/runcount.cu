//===- runcount.cu - a count known to the compiler -------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t[16];
#pragma unroll 1
  for (int k = 0; k < m; k++)
    t[k] = a[k * n + i];
#pragma unroll 1
  for (int k = 0; k < m; k++)
    b[k * n + i] = t[k] + t[m - 1 - k];
}
__global__ void fast(const float *a, float *b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t[16];
#pragma unroll
  for (int k = 0; k < 16; k++)
    t[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 16; k++)
    b[k * n + i] = t[k] + t[15 - k];
}
int main() {
  const int n = 1 << 20;
  float *a = zeros<float>(16 * n), *b = zeros<float>(16 * n);
  timeLaunches("runcount,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n, 16); });
  timeLaunches("runcount,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n, 16); });
}
