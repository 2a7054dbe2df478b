//===- pow2.cu - powf as product -------------------------------*- CUDA -*-===//
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
  b[i] = powf(a[i], 2.0f) + 1.0f;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i], q = v * v;
  b[i] = q + 1.0f;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("pow2,slow", begin, [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("pow2,fast", begin, [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
