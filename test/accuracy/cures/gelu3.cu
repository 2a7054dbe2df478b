//===- gelu3.cu - powf in a streaming kernel -------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  b[i] =
      0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * powf(v, 3.0f))));
}
__global__ void fast(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  b[i] = 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("gelu3,slow", beginClean, [&] { slow<<<n / 256, 256>>>(a, b); });
  timeLaunches("gelu3,fast", beginClean, [&] { fast<<<n / 256, 256>>>(a, b); });
}
