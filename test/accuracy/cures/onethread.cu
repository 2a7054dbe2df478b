//===- onethread.cu - blocks of one thread ---------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(int *c, const int *a, const int *b) {
  int i = blockIdx.x;
  c[i] = a[i] + b[i];
}
__global__ void fast(int *c, const int *a, const int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
int main() {
  const int n = 1 << 20;
  int *a = zeros<int>(n), *b = zeros<int>(n), *c = zeros<int>(n);
  timeLaunches("onethread,slow", beginClean, [&] { slow<<<n, 1>>>(c, a, b); });
  timeLaunches("onethread,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(c, a, b); });
}
