//===- chain.cu - two chains -----------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
__global__ void slow(const float *a, float *b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < m; k++)
    s = s * a[k] + 1.5f;
  b[i] = s;
}
__global__ void fast(const float *a, float *b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0, t = 0;
#pragma unroll 1
  for (int k = 0; k < m / 2; k++) {
    s = s * a[k] + 1.5f;
    t = t * a[m / 2 + k] + 1.5f;
  }
  b[i] = s + t;
}
int main() {
  const int m = 4096;
  float *a = zeros<float>(m), *b = zeros<float>(132 * 128);
  timeLaunches("chain,slow", beginClean, [&] { slow<<<132, 128>>>(a, b, m); });
  timeLaunches("chain,fast", beginClean, [&] { fast<<<132, 128>>>(a, b, m); });
}
