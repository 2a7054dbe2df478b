//===- onesum.cu - a block in place of one thread for a sum ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  *b = sum;
}
__global__ void fast(const float *a, float *b, int n) {
  __shared__ float part[8];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    sum += a[i];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 8) {
    sum = part[threadIdx.x];
    for (int d = 4; d > 0; d /= 2)
      sum += __shfl_down_sync(255u, sum, d);
    if (threadIdx.x == 0)
      *b = sum;
  }
}
int main() {
  const int n = 1 << 20;
  float *a = numbers<float>(n), *b = numbers<float>(1);
  timeLaunches("onesum,slow", beginClean, [&] { slow<<<1, 1>>>(a, b, n); });
  timeLaunches("onesum,fast", beginClean, [&] { fast<<<1, 256>>>(a, b, n); });
}
