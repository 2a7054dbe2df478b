//===- logistic.cu - constants of float around functions of float *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  for (int k = 0; k < steps; k++)
    v = 3.7 * v * (1.0 - v) + 0.01 * v;
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  for (int k = 0; k < steps; k++)
    v = 3.7f * v * (1.0f - v) + 0.01f * v;
  b[i] = v;
}
int main() {
  const int n = 1 << 22, steps = 100;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("logistic,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n, steps); });
  timeLaunches("logistic,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n, steps); });
}
