//===- dbl.cu - float literals ---------------------------------*- CUDA -*-===//
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
  float v = a[i];
  for (int k = 0; k < 8; k++)
    v = v * 0.5 + 0.25;
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i];
  for (int k = 0; k < 8; k++)
    v = v * 0.5f + 0.25f;
  b[i] = v;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("dbl,slow", begin, [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("dbl,fast", begin, [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
