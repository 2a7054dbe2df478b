//===- alias3.cu - __restrict__ of a loop with a store ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; k++)
    b[k * n + i] = a[k * n + i] + 1.0f;
}
__global__ void fast(const float *__restrict__ a, float *__restrict__ b,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; k++)
    b[k * n + i] = a[k * n + i] + 1.0f;
}
int main() {
  const int n = 1 << 18;
  float *a = zeros<float>(16 * n), *b = zeros<float>(16 * n);
  timeLaunches("alias3,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("alias3,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
