//===- tailed.cu - fewer waves ---------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  float v = a[blockIdx.x * 256 + threadIdx.x];
  for (int k = 0; k < 4000; k++)
    v = v * 0.99f + 0.1f;
  b[blockIdx.x * 256 + threadIdx.x] = v;
}
__global__ void fast(const float *a, float *b, int n) {
  float v = a[blockIdx.x * 128 + threadIdx.x];
  for (int k = 0; k < 4000; k++)
    v = v * 0.99f + 0.1f;
  b[blockIdx.x * 128 + threadIdx.x] = v;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("tailed,slow", beginClean,
               [&] { slow<<<1188, 256>>>(a, b, n); });
  timeLaunches("tailed,fast", beginClean,
               [&] { fast<<<2376, 128>>>(a, b, n); });
}
