//===- chunk.cu - interleave -----------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int n) {
  int f = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int k = 0; k < 16; k++)
    b[f + k] = a[f + k] * 2.0f;
}
__global__ void fast(const float *a, float *b, int n) {
  int f = blockIdx.x * blockDim.x * 16 + threadIdx.x;
  for (int k = 0; k < 16; k++)
    b[f + k * 256] = a[f + k * 256] * 2.0f;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("chunk,slow", begin, [&] { slow<<<n / 4096, 256>>>(a, b, n); });
  timeLaunches("chunk,fast", begin, [&] { fast<<<n / 4096, 256>>>(a, b, n); });
}
