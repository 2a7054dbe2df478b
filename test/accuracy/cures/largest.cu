//===- largest.cu - one maximum a block to the word of all -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *a, int *most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicMax(most, a[i] ^ i);
}
__global__ void fast(const int *a, int *most, int n) {
  __shared__ int s[8];
  int best = -2147483647 - 1, t = threadIdx.x;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    best = max(best, a[i] ^ i);
  best = __reduce_max_sync(~0u, best);
  if (t % 32 == 0)
    s[t / 32] = best;
  __syncthreads();
  if (t == 0) {
    for (int k = 1; k < 8; k++)
      best = max(best, s[k]);
    atomicMax(most, best);
  }
}
int main() {
  const int n = 1 << 24;
  int *a = zeros<int>(n), *most = zeros<int>(1);
  timeLaunches("largest,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, most, n); });
  timeLaunches("largest,fast", beginClean,
               [&] { fast<<<1056, 256>>>(a, most, n); });
}
