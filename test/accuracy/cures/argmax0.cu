//===- argmax0.cu - find a maximum with all threads ------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, int *b, int w) {
  __shared__ float s[256];
  const float *p = a + blockIdx.x * w;
  float m = -1e30f;
  for (int k = threadIdx.x; k < w; k += 256)
    m = fmaxf(m, p[k]);
  s[threadIdx.x] = m;
  __syncthreads();
  if (threadIdx.x == 0) {
    int at = 0;
    for (int k = 1; k < 256; k++)
      if (s[k] > m) {
        m = s[k];
        at = k;
      }
    b[blockIdx.x] = at;
  }
}
__global__ void merged(const float *a, int *b, int w) {
  __shared__ float s[256];
  const float *p = a + blockIdx.x * w;
  float m = -1e30f, other = m;
  for (int k = threadIdx.x; k < w; k += 256) {
    m = fmaxf(m, p[k]);
    other = fmaxf(other, p[k + 128]);
  }
  s[threadIdx.x] = m;
  s[threadIdx.x + 128] = other;
  __syncthreads();
  if (threadIdx.x == 0) {
    int at = 0;
    for (int k = 1; k < 256; k++)
      if (s[k] > m) {
        m = s[k];
        at = k;
      }
    b[blockIdx.x] = at;
  }
}
__device__ void keepLarger(float &m, int &at, int apart) {
  float other = __shfl_xor_sync(~0u, m, apart);
  int where = __shfl_xor_sync(~0u, at, apart);
  if (other > m || (other == m && where < at)) {
    m = other;
    at = where;
  }
}
__global__ void fast(const float *a, int *b, int w) {
  __shared__ float s[8];
  __shared__ int of[8];
  const float *p = a + blockIdx.x * w;
  float m = -1e30f;
  for (int k = threadIdx.x; k < w; k += 256)
    m = fmaxf(m, p[k]);
  int at = threadIdx.x;
  for (int o = 16; o; o >>= 1)
    keepLarger(m, at, o);
  if (threadIdx.x % 32 == 0) {
    s[threadIdx.x / 32] = m;
    of[threadIdx.x / 32] = at;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    m = s[threadIdx.x % 8];
    at = of[threadIdx.x % 8];
    for (int o = 4; o; o >>= 1)
      keepLarger(m, at, o);
    if (threadIdx.x == 0)
      b[blockIdx.x] = at;
  }
}
int main() {
  const int rows = 8192, w = 1024;
  float *a = zeros<float>(rows * w);
  int *b = zeros<int>(rows);
  timeLaunches("argmax0,slow", beginClean,
               [&] { slow<<<rows, 256>>>(a, b, w); });
  timeLaunches("argmax0,merged", beginClean,
               [&] { merged<<<rows, 128>>>(a, b, w); });
  timeLaunches("argmax0,fast", beginClean,
               [&] { fast<<<rows, 256>>>(a, b, w); });
}
