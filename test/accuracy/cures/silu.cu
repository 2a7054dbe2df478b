//===- silu.cu - fast forms of a gate that two layers share ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float gate(float x) { return x / (1.0f + expf(-x)); }
__device__ float fastGate(float x) { return __fdividef(x, 1.0f + __expf(-x)); }
__global__ void slow(const float *a, float *b, int times, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i];
  for (int k = 0; k < times; k++)
    v = gate(v) + 0.5f;
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int times, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i];
  for (int k = 0; k < times; k++)
    v = fastGate(v) + 0.5f;
  b[i] = v;
}
__global__ void draw(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  p[i] = 0.1f + ((x ^ x >> 15) * 2246822519u >> 8) * 6e-8f;
}
int main() {
  const int n = 1 << 22;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  draw<<<n / 256, 256>>>(a);
  timeLaunches("silu,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, 16, n); });
  timeLaunches("silu,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, 16, n); });
}
