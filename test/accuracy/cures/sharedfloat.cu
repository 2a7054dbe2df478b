//===- sharedfloat.cu - A kernel with one finding -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All threads add to one float of the block; cure: shuffles first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *out) {
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  float v = a[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&sum, v * v);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
__global__ void fast(const float *a, float *out) {
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  float v = a[blockIdx.x * blockDim.x + threadIdx.x];
  v *= v;
  for (int o = 16; o; o /= 2)
    v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&sum, v);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
__global__ void fill(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 1 + i % 7;
}
int main() {
  const int n = 1 << 23;
  float *a = numbers<float>(n), *b = numbers<float>(n / 256);
  fill<<<n / 256, 256>>>(a);
  timeLaunches("sharedfloat,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b); });
  timeLaunches("sharedfloat,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b); });
}
