//===- count.cu - combine in blocks ----------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (a[i] < 0.5f)
    atomicAdd(b, 1);
}
__global__ void fast(const float *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = __syncthreads_count(a[i] < 0.5f);
  if (threadIdx.x == 0)
    atomicAdd(b, c);
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n);
  int *b = zeros<int>(1);
  timeLaunches("count,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("count,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
