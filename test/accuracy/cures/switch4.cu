//===- switch4.cu - converge a branch --------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
__global__ void slow(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  if (threadIdx.x & 3) {
    for (int k = 0; k < 96; k++)
      v = v * v + 1.5f;
  } else {
    for (int k = 0; k < 96; k++)
      v = v * 0.5f - v * v;
  }
  b[i] = v;
}
__global__ void fast(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  if (threadIdx.x & 96) {
    for (int k = 0; k < 96; k++)
      v = v * v + 1.5f;
  } else {
    for (int k = 0; k < 96; k++)
      v = v * 0.5f - v * v;
  }
  b[i] = v;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("switch4,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b); });
  timeLaunches("switch4,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b); });
}
