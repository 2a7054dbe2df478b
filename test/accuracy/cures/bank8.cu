//===- bank8.cu - pad ------------------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  __shared__ float t[8192];
  int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  for (int k = 0; k < 16; k++)
    t[l * 16 + k] = a[i] + k;
  __syncthreads();
  float s = 0;
  for (int k = 0; k < 16; k++)
    s += t[(l ^ 1) * 16 + k];
  b[i] = s;
}
__global__ void fast(const float *a, float *b, int n) {
  __shared__ float t[8192];
  int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  for (int k = 0; k < 16; k++)
    t[l * 17 + k] = a[i] + k;
  __syncthreads();
  float s = 0;
  for (int k = 0; k < 16; k++)
    s += t[(l ^ 1) * 17 + k];
  b[i] = s;
}
int main() {
  const int n = 1 << 22;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("bank8,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("bank8,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
