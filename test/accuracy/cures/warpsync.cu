//===- warpsync.cu - barriers of warps for exchanges in warps --*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int rounds) {
  __shared__ float s[1024];
  int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  float v = a[i];
  for (int k = 0; k < rounds; k++) {
    s[t] = v;
    __syncthreads();
    v = 0.5f * (s[t ^ 1] + s[t ^ 16]);
    __syncthreads();
  }
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int rounds) {
  __shared__ float s[1024];
  int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  float v = a[i];
  for (int k = 0; k < rounds; k++) {
    s[t] = v;
    __syncwarp();
    v = 0.5f * (s[t ^ 1] + s[t ^ 16]);
    __syncwarp();
  }
  b[i] = v;
}
int main() {
  const int n = 264 * 1024 * 4;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("warpsync,slow", beginClean,
               [&] { slow<<<n / 1024, 1024>>>(a, b, 64); });
  timeLaunches("warpsync,fast", beginClean,
               [&] { fast<<<n / 1024, 1024>>>(a, b, 64); });
}
