//===- div.cu - division by an invariant -----------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int n, float d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i];
  for (int k = 0; k < 16; k++)
    v = v / d + 1.0f;
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int n, float d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i], e = 1.0f / d;
  for (int k = 0; k < 16; k++)
    v = v * e + 1.0f;
  b[i] = v;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("div,slow", begin,
               [&] { slow<<<n / 256, 256>>>(a, b, n, 3.0f); });
  timeLaunches("div,fast", begin,
               [&] { fast<<<n / 256, 256>>>(a, b, n, 3.0f); });
}
