//===- onlythread.cu - a grid in place of one thread -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *b, float *c, int n) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] * b[i] + 1.0f;
}
__global__ void fast(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] * b[i] + 1.0f;
}
int main() {
  const int n = 1 << 16;
  float *a = numbers<float>(n), *b = numbers<float>(n), *c = numbers<float>(n);
  timeLaunches("onlythread,slow", beginClean,
               [&] { slow<<<1, 1>>>(a, b, c, n); });
  timeLaunches("onlythread,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, c, n); });
}
