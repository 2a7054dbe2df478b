//===- opkind.cu - one kind of work for all lanes of a warp ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float work(int kind, float v) {
  switch (kind) {
  case 0:
    for (int k = 0; k < 24; k++)
      v = v * 1.01f + sinf(v);
    return v;
  case 1:
    for (int k = 0; k < 24; k++)
      v = expf(-v * v) + 0.3f;
    return v;
  case 2:
    for (int k = 0; k < 24; k++)
      v = sqrtf(v * v + 0.5f);
    return v;
  default:
    for (int k = 0; k < 24; k++)
      v = logf(v * v + 1.5f);
    return v;
  }
}
__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = work(threadIdx.x / 8 % 4, a[i]);
}
__global__ void fast(const float *a, float *b, int n) {
  int kind = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  int group = threadIdx.x / 128 * 128;
  int i = blockIdx.x * blockDim.x + group + lane / 8 * 32 + kind * 8 + lane % 8;
  b[i] = work(kind, a[i]);
}
int main() {
  const int n = 1 << 22;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("opkind,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("opkind,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
