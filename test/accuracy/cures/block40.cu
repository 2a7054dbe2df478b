//===- block40.cu - a multiple of 32 threads -------------------*- CUDA -*-===//
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
  b[i] = sqrtf(a[i]) * 2.0f;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = sqrtf(a[i]) * 2.0f;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("block40,slow", begin,
               [&] { slow<<<(n + 39) / 40, 40>>>(a, b, n); });
  timeLaunches("block40,fast", begin, [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
