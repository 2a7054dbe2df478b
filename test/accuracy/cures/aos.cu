//===- aos.cu - AoS to SoA -------------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

struct P {
  float x, y, z, w, u, v, s, t;
};
__global__ void slow(const P *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = a[i].x * a[i].y;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = a[i] * a[n + i];
}
int main() {
  const int n = 1 << 22;
  P *q = zeros<P>(n);
  float *a = zeros<float>(8 * n), *b = zeros<float>(n);
  timeLaunches("aos,slow", begin, [&] { slow<<<n / 256, 256>>>(q, b, n); });
  timeLaunches("aos,fast", begin, [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
