//===- casones.cu - swaps that fail ----------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void ones(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *p = (int *)(b + i % 1024);
  int old = *p, seen;
  do {
    seen = old;
    old = atomicCAS(p, seen, __float_as_int(a[i] + __int_as_float(seen)));
  } while (old != seen);
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(b + i % 1024, a[i]);
}
int main() {
  const int n = 1 << 20;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  ones<<<n / 256, 256>>>(a);
  timeLaunches("casones,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("casones,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
