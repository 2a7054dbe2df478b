//===- oneblock.cu - a grid in place of one block --------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    b[i] = a[i] * 2.0f;
}
__global__ void fast(const float *a, float *b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    b[i] = a[i] * 2.0f;
}
int main() {
  const int n = 1 << 22;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("oneblock,slow", beginClean,
               [&] { slow<<<1, 1024>>>(a, b, n); });
  timeLaunches("oneblock,fast", beginClean,
               [&] { fast<<<264, 1024>>>(a, b, n); });
}
