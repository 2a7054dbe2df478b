//===- decibel.cu - exp10f in place of a power of ten ----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; k++)
    sum += powf(10.0f, a[k * n + i] * 0.1f);
  b[i] = sum;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; k++)
    sum += exp10f(a[k * n + i] * 0.1f);
  b[i] = sum;
}
__global__ void draw(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  p[i] = 0.1f + ((x ^ x >> 15) * 2246822519u >> 8) * 6e-8f;
}
int main() {
  const int n = 1 << 20;
  float *a = numbers<float>(8 * n), *b = numbers<float>(n);
  draw<<<8 * n / 256, 256>>>(a);
  timeLaunches("decibel,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("decibel,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
