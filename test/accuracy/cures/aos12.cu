//===- aos12.cu - AoS of three to SoA --------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
struct P {
  float x, y, z;
};
__global__ void slow(const P *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i].x * a[i].y + a[i].z;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * a[n + i] + a[2 * n + i];
}
int main() {
  const int n = 1 << 22;
  P *q = zeros<P>(n);
  float *a = zeros<float>(3 * n), *b = zeros<float>(n);
  timeLaunches("aos12,slow", beginClean, [&] { slow<<<n / 256, 256>>>(q, b); });
  timeLaunches("aos12,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
