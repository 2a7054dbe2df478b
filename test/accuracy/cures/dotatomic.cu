//===- dotatomic.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An atomic of each thread for a product; cure: shuffles, then one of each
/// block.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *b, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  for (; i < n; i += gridDim.x * blockDim.x)
    v += a[i] * b[i];
  atomicAdd(sum, v);
}
__global__ void fast(const float *a, const float *b, float *sum, int n) {
  __shared__ float warps[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  for (; i < n; i += gridDim.x * blockDim.x)
    v += a[i] * b[i];
  for (int d = 16; d; d /= 2)
    v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; w++)
      v += warps[w];
    atomicAdd(sum, v);
  }
}
int main() {
  const int n = 1 << 23;
  float *a = numbers<float>(n), *b = numbers<float>(n), *s = numbers<float>(1);
  timeLaunches("dotatomic,slow", beginClean,
               [&] { slow<<<2112, 256>>>(a, b, s, n); });
  timeLaunches("dotatomic,fast", beginClean,
               [&] { fast<<<2112, 256>>>(a, b, s, n); });
}
