//===- ring.cu - turn round without a division -----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n, int len, int steps) {
  __shared__ float s[24][128];
  int i = blockIdx.x * 128 + threadIdx.x;
  for (int k = 0; k < len; k++)
    s[k][threadIdx.x] = a[k * n + i];
  float t = 0;
  for (int k = 0; k < steps; k++) {
    float v = s[k % len][threadIdx.x] - s[(k + len / 2) % len][threadIdx.x];
    t += v;
    s[k % len][threadIdx.x] = v * 0.5f;
  }
  b[i] = t;
}
__global__ void fast(const float *a, float *b, int n, int len, int steps) {
  __shared__ float s[24][128];
  int i = blockIdx.x * 128 + threadIdx.x;
  for (int k = 0; k < len; k++)
    s[k][threadIdx.x] = a[k * n + i];
  float t = 0;
  int here = 0, there = len / 2;
  for (int k = 0; k < steps; k++) {
    float v = s[here][threadIdx.x] - s[there][threadIdx.x];
    t += v;
    s[here][threadIdx.x] = v * 0.5f;
    here = here + 1 == len ? 0 : here + 1;
    there = there + 1 == len ? 0 : there + 1;
  }
  b[i] = t;
}
__global__ void merged(const float *a, float *b, int n, int len, int steps) {
  __shared__ float s[24][128];
  int i = blockIdx.x * 128 + threadIdx.x;
  for (int k = 0; k < len; k++)
    for (int c = 0; c < 128; c += 32)
      s[k][threadIdx.x + c] = a[k * n + i + c];
  float t[4] = {};
  for (int k = 0; k < steps; k++) {
    int here = k % len, there = (k + len / 2) % len;
#pragma unroll
    for (int c = 0; c < 4; c++) {
      float v = s[here][threadIdx.x + 32 * c] - s[there][threadIdx.x + 32 * c];
      t[c] += v;
      s[here][threadIdx.x + 32 * c] = v * 0.5f;
    }
  }
#pragma unroll
  for (int c = 0; c < 4; c++)
    b[i + 32 * c] = t[c];
}
int main() {
  const int n = 132 * 4 * 128 * 2, len = 24, steps = 384;
  float *a = zeros<float>(len * n), *b = zeros<float>(n);
  timeLaunches("ring,slow", beginClean,
               [&] { slow<<<n / 128, 128>>>(a, b, n, len, steps); });
  timeLaunches("ring,merged", beginClean,
               [&] { merged<<<n / 128, 32>>>(a, b, n, len, steps); });
  timeLaunches("ring,fast", beginClean,
               [&] { fast<<<n / 128, 128>>>(a, b, n, len, steps); });
}
