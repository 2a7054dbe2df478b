//===- serial.cu - share a serial section ----------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int w) {
  __shared__ float s;
  const float *p = a + blockIdx.x * w;
  if (threadIdx.x == 0) {
    float t = 0;
    for (int k = 0; k < w; k++)
      t += p[k];
    s = t;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < w; k += 256)
    b[blockIdx.x * w + k] = p[k] - s;
}
__global__ void fast(const float *a, float *b, int w) {
  __shared__ float s[8];
  const float *p = a + blockIdx.x * w;
  float t = 0;
  for (int k = threadIdx.x; k < w; k += 256)
    t += p[k];
  for (int o = 16; o; o >>= 1)
    t += __shfl_xor_sync(~0u, t, o);
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = t;
  __syncthreads();
  t = 0;
  for (int k = 0; k < 8; k++)
    t += s[k];
  for (int k = threadIdx.x; k < w; k += 256)
    b[blockIdx.x * w + k] = p[k] - t;
}
int main() {
  const int w = 4096;
  float *a = zeros<float>(w * w), *b = zeros<float>(w * w);
  timeLaunches("serial,slow", begin, [&] { slow<<<w, 256>>>(a, b, w); });
  timeLaunches("serial,fast", begin, [&] { fast<<<w, 256>>>(a, b, w); });
}
