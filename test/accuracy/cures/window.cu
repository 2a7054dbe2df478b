//===- window.cu - weights of a window from a table ------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int taps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < taps; k++)
    sum += a[i + k] * (0.5f - 0.5f * cosf(6.2831853f * k / (taps - 1)));
  b[i] = sum;
}
__global__ void fast(const float *a, const float *__restrict__ weight, float *b,
                     int taps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < taps; k++)
    sum += a[i + k] * weight[k];
  b[i] = sum;
}
__global__ void draw(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  p[i] = 0.1f + ((x ^ x >> 15) * 2246822519u >> 8) * 6e-8f;
}
int main() {
  const int n = 1 << 21, taps = 64;
  float *a = numbers<float>(n + 256), *b = numbers<float>(n);
  float *weight = numbers<float>(taps);
  draw<<<n / 256, 256>>>(a);
  timeLaunches("window,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, taps, n); });
  timeLaunches("window,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, weight, b, taps, n); });
}
