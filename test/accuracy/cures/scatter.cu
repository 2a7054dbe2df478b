//===- scatter.cu - what a cell gives to its neighbours, by atomics *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *mass, float *next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  float m = mass[i];
  atomicAdd(&next[i - 1], 0.25f * m);
  atomicAdd(&next[i], 0.5f * m);
  atomicAdd(&next[i + 1], 0.25f * m);
}
__global__ void fast(const float *mass, float *next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  next[i] += 0.25f * mass[i - 1] + 0.5f * mass[i] + 0.25f * mass[i + 1];
}
int main() {
  const int n = 1 << 23;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("scatter,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("scatter,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
