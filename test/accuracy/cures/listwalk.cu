//===- listwalk.cu - two lists at a time for each thread -------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *next, const float *a, float *b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
  float t = 0;
  for (int k = 0; k < steps; k++) {
    t += a[at];
    at = next[at];
  }
  b[i] = t;
}
__global__ void fast(const int *next, const float *a, float *b, int steps) {
  int i = blockIdx.x * 2 * blockDim.x + threadIdx.x, at = i;
  int other = i + blockDim.x;
  float t = 0, u = 0;
  for (int k = 0; k < steps; k++) {
    t += a[at];
    u += a[other];
    at = next[at];
    other = next[other];
  }
  b[i] = t;
  b[i + blockDim.x] = u;
}
__global__ void fill(int *next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = (i * 5 + 1) & (n - 1);
}
int main() {
  const int n = 1 << 18, steps = 64;
  int *next = zeros<int>(n);
  float *a = numbers<float>(n), *b = numbers<float>(n);
  fill<<<n / 256, 256>>>(next, n);
  timeLaunches("listwalk,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(next, a, b, steps); });
  timeLaunches("listwalk,fast", beginClean,
               [&] { fast<<<n / 512, 256>>>(next, a, b, steps); });
}
