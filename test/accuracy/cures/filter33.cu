//===- filter33.cu - eight outputs a thread of a filter --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__constant__ float tap[33];

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = 0; k < 33; k++)
      sum += tap[k] * a[i + k];
    b[i] = sum;
  }
}
__global__ void fast(const float *a, float *b, int n) {
  __shared__ float s[1024 + 32 + 33], o[1024 + 32];
  int t = threadIdx.x, from = blockIdx.x * 1024;
  for (int k = t; k < 1024 + 32; k += 128)
    s[k + k / 32] = a[from + k];
  __syncthreads();
  float sum[8] = {};
  float v[40];
#pragma unroll
  for (int k = 0; k < 40; k++) {
    int at = 8 * t + k;
    v[k] = s[at + at / 32];
  }
#pragma unroll
  for (int k = 0; k < 33; k++)
#pragma unroll
    for (int q = 0; q < 8; q++)
      sum[q] += tap[k] * v[k + q];
#pragma unroll
  for (int q = 0; q < 8; q++)
    o[8 * t + q + (8 * t + q) / 32] = sum[q];
  __syncthreads();
  for (int k = t; k < 1024; k += 128)
    b[from + k] = o[k + k / 32];
}
int main() {
  const int n = 1 << 23;
  float *a = numbers<float>(n + 64), *b = numbers<float>(n);
  timeLaunches("filter33,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("filter33,fast", beginClean,
               [&] { fast<<<n / 1024, 128>>>(a, b, n); });
}
