//===- modtree.cu - a tree whose active threads are neighbours -*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    if (t % (2 * step) == 0)
      s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0)
    b[blockIdx.x] = s[0];
}
__global__ void fast(const float *a, float *b) {
  __shared__ float s[8];
  int t = threadIdx.x;
  float v = a[blockIdx.x * blockDim.x + t];
  for (int o = 16; o; o >>= 1)
    v += __shfl_xor_sync(~0u, v, o);
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads();
  if (t < 8) {
    v = s[t];
    for (int o = 4; o; o >>= 1)
      v += __shfl_xor_sync(0xff, v, o);
    if (t == 0)
      b[blockIdx.x] = v;
  }
}
int main() {
  const int n = 1 << 24;
  float *a = numbers<float>(n), *b = numbers<float>(n / 256);
  timeLaunches("modtree,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b); });
  timeLaunches("modtree,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b); });
}
