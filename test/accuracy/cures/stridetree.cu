//===- stridetree.cu - a tree of neighbors that lie together ---*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b) {
  __shared__ float s[512];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 512 + t];
  __syncthreads();
  for (int step = 1; step < 512; step *= 2) {
    int at = 2 * step * t;
    if (at < 512)
      s[at] += s[at + step];
    __syncthreads();
  }
  if (t == 0)
    b[blockIdx.x] = s[0];
}
__global__ void fast(const float *a, float *b) {
  __shared__ float s[512];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 512 + t];
  __syncthreads();
  for (int step = 256; step > 0; step /= 2) {
    if (t < step)
      s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0)
    b[blockIdx.x] = s[0];
}
int main() {
  const int n = 1 << 24;
  float *a = numbers<float>(n), *b = numbers<float>(n / 512);
  timeLaunches("stridetree,slow", beginClean,
               [&] { slow<<<n / 512, 512>>>(a, b); });
  timeLaunches("stridetree,fast", beginClean,
               [&] { fast<<<n / 512, 512>>>(a, b); });
}
