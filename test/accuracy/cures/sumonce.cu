//===- sumonce.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One element a thread, added up by a tree of barriers; cure: many a thread,
/// shuffles.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, float *sum) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sum[blockIdx.x] = s[0];
}
__global__ void fast(const float4 *x, float *sum, int n) {
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float4 q = x[i];
    v += q.x + q.y + q.z + q.w;
  }
  for (int k = 16; k > 0; k /= 2)
    v += __shfl_down_sync(~0u, v, k);
  if (threadIdx.x % 32 == 0)
    sum[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = v;
}
int main() {
  const int n = 1 << 24;
  float *x = numbers<float>(n), *s = numbers<float>(n);
  timeLaunches("sumonce,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, s); });
  timeLaunches("sumonce,fast", beginClean,
               [&] { fast<<<1056, 256>>>((float4 *)x, s, n / 4); });
}
