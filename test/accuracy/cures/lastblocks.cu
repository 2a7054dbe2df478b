//===- lastblocks.cu - blocks that fill the SMs evenly ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void both(const float *a, float *b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], v = x;
  for (int k = 0; k < steps; k++)
    v = sqrtf(v * x + 0.3f);
  b[i] = v;
}
int main() {
  const int n = 140 * 2 * 1024;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("lastblocks,slow", beginClean,
               [&] { both<<<n / 1024, 1024>>>(a, b, 256); });
  timeLaunches("lastblocks,fast", beginClean,
               [&] { both<<<n / 128, 128>>>(a, b, 256); });
}
