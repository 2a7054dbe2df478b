//===- alias.cu - __restrict__ ---------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(float *a, float *b, const float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < 8; k++)
    b[k * (n / 8) + i / 8] = a[k * (n / 8) + i / 8] + c[k];
}
__global__ void fast(const float *__restrict__ a, float *__restrict__ b,
                     const float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < 8; k++)
    b[k * (n / 8) + i / 8] = a[k * (n / 8) + i / 8] + c[k];
}
int main() {
  const int n = 1 << 22;
  float *a = zeros<float>(n), *b = zeros<float>(n), *c = zeros<float>(8);
  timeLaunches("alias,slow", begin,
               [&] { slow<<<n / 256, 256>>>(a, b, c, n); });
  timeLaunches("alias,fast", begin,
               [&] { fast<<<n / 256, 256>>>(a, b, c, n); });
}
