//===- sum1.cu - combine in blocks -----------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(b, a[i]);
}
__global__ void fast(const float *a, float *b, int n) {
  __shared__ float s[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = a[i];
  for (int o = 16; o; o >>= 1)
    t += __shfl_xor_sync(~0u, t, o);
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = t;
  __syncthreads();
  if (threadIdx.x == 0) {
    t = 0;
    for (int k = 0; k < 8; k++)
      t += s[k];
    atomicAdd(b, t);
  }
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("sum1,slow", begin, [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("sum1,fast", begin, [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
