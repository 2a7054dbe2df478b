//===- merge.cu - share a serial section of few values ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int parts, int w) {
  __shared__ float top, sum;
  const float *p = a + blockIdx.x * parts * w;
  if (threadIdx.x == 0) {
    float m = -1e30f, l = 0;
    for (int s = 0; s < parts; s++)
      m = fmaxf(m, p[s * w]);
    for (int s = 0; s < parts; s++)
      l += expf(p[s * w] - m);
    top = m;
    sum = l;
  }
  __syncthreads();
  float t = 0;
  for (int s = 0; s < parts; s++)
    t += expf(p[s * w] - top) * p[s * w + 1 + threadIdx.x];
  b[blockIdx.x * 128 + threadIdx.x] = t / sum;
}
__global__ void fast(const float *a, float *b, int parts, int w) {
  __shared__ float top[4], sum[4];
  const float *p = a + blockIdx.x * parts * w;
  float m = -1e30f, l = 0;
  for (int s = threadIdx.x; s < parts; s += 128)
    m = fmaxf(m, p[s * w]);
  for (int o = 16; o; o >>= 1)
    m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
  if (threadIdx.x % 32 == 0)
    top[threadIdx.x / 32] = m;
  __syncthreads();
  m = fmaxf(fmaxf(top[0], top[1]), fmaxf(top[2], top[3]));
  for (int s = threadIdx.x; s < parts; s += 128)
    l += expf(p[s * w] - m);
  for (int o = 16; o; o >>= 1)
    l += __shfl_xor_sync(~0u, l, o);
  if (threadIdx.x % 32 == 0)
    sum[threadIdx.x / 32] = l;
  __syncthreads();
  float t = 0;
  for (int s = 0; s < parts; s++)
    t += expf(p[s * w] - m) * p[s * w + 1 + threadIdx.x];
  b[blockIdx.x * 128 + threadIdx.x] = t / (sum[0] + sum[1] + sum[2] + sum[3]);
}
int main() {
  const int heads = 64, parts = 96, w = 132;
  float *a = zeros<float>(heads * parts * w), *b = zeros<float>(heads * 128);
  timeLaunches("merge,slow", beginClean,
               [&] { slow<<<heads, 128>>>(a, b, parts, w); });
  timeLaunches("merge,fast", beginClean,
               [&] { fast<<<heads, 128>>>(a, b, parts, w); });
}
