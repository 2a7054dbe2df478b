//===- serial2.cu - share a serial section ---------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int w) {
  __shared__ float s;
  const float *p = a + blockIdx.x * w;
  if (threadIdx.x == 0) {
    float t = -1e30f;
    for (int k = 0; k < 512; k++)
      t = fmaxf(t, p[k]);
    s = t;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < w; k += 128)
    b[blockIdx.x * w + k] = p[k] * s;
}
__global__ void fast(const float *a, float *b, int w) {
  __shared__ float s[4];
  const float *p = a + blockIdx.x * w;
  float t = -1e30f;
  for (int k = threadIdx.x; k < 512; k += 128)
    t = fmaxf(t, p[k]);
  for (int o = 16; o; o >>= 1)
    t = fmaxf(t, __shfl_xor_sync(~0u, t, o));
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = t;
  __syncthreads();
  t = fmaxf(fmaxf(s[0], s[1]), fmaxf(s[2], s[3]));
  for (int k = threadIdx.x; k < w; k += 128)
    b[blockIdx.x * w + k] = p[k] * t;
}
int main() {
  const int w = 4096;
  float *a = zeros<float>(w * w), *b = zeros<float>(w * w);
  timeLaunches("serial2,slow", beginClean, [&] { slow<<<w, 128>>>(a, b, w); });
  timeLaunches("serial2,fast", beginClean, [&] { fast<<<w, 128>>>(a, b, w); });
}
