//===- volatiletree.cu - A kernel with one finding ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A sum of a block by a tree in shared memory whose last warp is volatile;
/// cure: shuffles.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ void lastWarp(volatile float *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__global__ void slow(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 32; k /= 2) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32)
    lastWarp(s, t);
  if (t == 0)
    out[blockIdx.x] = s[0];
}
__global__ void fast(const float *in, float *out) {
  __shared__ float s[8];
  int t = threadIdx.x;
  float v = in[blockIdx.x * blockDim.x + t];
  for (int k = 16; k > 0; k /= 2)
    v += __shfl_down_sync(~0u, v, k);
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads();
  if (t < 8) {
    v = s[t];
    for (int k = 4; k > 0; k /= 2)
      v += __shfl_down_sync(0xff, v, k);
    if (t == 0)
      out[blockIdx.x] = v;
  }
}
__global__ void more(const float4 *in, float *out) {
  __shared__ float s[8];
  int t = threadIdx.x;
  float4 q = in[blockIdx.x * blockDim.x + t];
  float v = q.x + q.y + q.z + q.w;
  for (int k = 16; k > 0; k /= 2)
    v += __shfl_down_sync(~0u, v, k);
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads();
  if (t < 8) {
    v = s[t];
    for (int k = 4; k > 0; k /= 2)
      v += __shfl_down_sync(0xff, v, k);
    if (t == 0)
      out[blockIdx.x] = v;
  }
}
int main() {
  const int n = 1 << 25;
  float *a = numbers<float>(n), *b = numbers<float>(n / 256);
  timeLaunches("volatiletree,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b); });
  timeLaunches("volatiletree,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b); });
  timeLaunches("volatiletree,more", beginClean,
               [&] { more<<<n / 1024, 256>>>((float4 *)a, b); });
}
