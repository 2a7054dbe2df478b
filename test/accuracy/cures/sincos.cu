//===- sincos.cu - fast math functions -------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = sinf(a[i]) * expf(a[i]) + logf(a[i]);
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = __sinf(a[i]) * __expf(a[i]) + __logf(a[i]);
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("sincos,slow", begin, [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("sincos,fast", begin, [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
