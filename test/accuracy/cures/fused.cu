//===- fused.cu - one kernel for two that follow each other ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
__global__ void add(const float *y, const float *z, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = y[i] + z[i];
}
__global__ void fast(const float *x, const float *z, float *out, float a,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a * x[i] + z[i];
}
int main() {
  const int n = 1 << 25;
  float *x = numbers<float>(n), *y = numbers<float>(n), *z = numbers<float>(n);
  float *out = numbers<float>(n);
  timeLaunches("fused,slow", beginClean, [&] {
    slow<<<n / 256, 256>>>(x, y, 2.0f, n);
    add<<<n / 256, 256>>>(y, z, out, n);
  });
  timeLaunches("fused,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, z, out, 2.0f, n); });
}
