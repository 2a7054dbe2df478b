//===- alias2.cu - __restrict__ --------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; k++)
    b[i * 2 % n + k * 2] = a[i + k * n];
}
__global__ void fast(const float *__restrict__ a, float *__restrict__ b,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; k++)
    b[i * 2 % n + k * 2] = a[i + k * n];
}
int main() {
  const int n = 1 << 18;
  float *a = zeros<float>(n * 17), *b = zeros<float>(n + 64);
  timeLaunches("alias2,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("alias2,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
