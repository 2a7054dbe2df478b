//===- fdiv.cu - approximate division --------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  for (int k = 0; k < 8; k++)
    v = (v + 1.0f) / (v + 2.0f);
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  for (int k = 0; k < 8; k++)
    v = __fdividef(v + 1.0f, v + 2.0f);
  b[i] = v;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("fdiv,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("fdiv,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
