//===- nearest8.cu - the best so far in registers --------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *p, float *best, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float me = p[i];
  for (int k = 0; k < 8; k++)
    best[k * n + i] = 1e30f;
  for (int j = 0; j < m; j++) {
    float d = fabsf(p[j] - me);
    for (int k = 0; k < 8; k++)
      if (d < best[k * n + i]) {
        float was = best[k * n + i];
        best[k * n + i] = d;
        d = was;
      }
  }
}
__global__ void fast(const float *p, float *best, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float me = p[i], own[8];
#pragma unroll
  for (int k = 0; k < 8; k++)
    own[k] = 1e30f;
  for (int j = 0; j < m; j++) {
    float d = fabsf(p[j] - me);
#pragma unroll
    for (int k = 0; k < 8; k++) {
      float less = fminf(d, own[k]);
      d = fmaxf(d, own[k]);
      own[k] = less;
    }
  }
#pragma unroll
  for (int k = 0; k < 8; k++)
    best[k * n + i] = own[k];
}
__global__ void draw(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  p[i] = ((x ^ x >> 15) * 2246822519u >> 8) * 6e-8f;
}
int main() {
  const int n = 132 * 512, m = 2048;
  float *p = numbers<float>(n), *best = numbers<float>(8 * n);
  draw<<<n / 256, 256>>>(p);
  timeLaunches("nearest8,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(p, best, m, n); });
  timeLaunches("nearest8,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, best, m, n); });
}
