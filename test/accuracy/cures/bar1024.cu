//===- bar1024.cu - blocks that wait for fewer warps -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float overBlock(float v, float *s) {
  for (int o = 16; o; o >>= 1)
    v += __shfl_xor_sync(~0u, v, o);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int k = 0; k < blockDim.x / 32; k++)
    v += s[k];
  return v;
}
__device__ void normalize(const float *a, float *b, int w) {
  __shared__ float s[32];
  const float *p = a + blockIdx.x * w;
  float t = 0, q = 0;
  for (int k = threadIdx.x; k < w; k += blockDim.x)
    t += p[k];
  float mean = overBlock(t, s) / w;
  for (int k = threadIdx.x; k < w; k += blockDim.x)
    q += (p[k] - mean) * (p[k] - mean);
  float scale = rsqrtf(overBlock(q, s) / w + 1e-5f);
  for (int k = threadIdx.x; k < w; k += blockDim.x)
    b[blockIdx.x * w + k] = (p[k] - mean) * scale;
}
__global__ void slow(const float *a, float *b, int w) { normalize(a, b, w); }
__global__ void fast(const float *a, float *b, int w) { normalize(a, b, w); }
int main() {
  const int rows = 8192, w = 1024;
  float *a = zeros<float>(rows * w), *b = zeros<float>(rows * w);
  timeLaunches("bar1024,slow", beginClean,
               [&] { slow<<<rows, 1024>>>(a, b, w); });
  timeLaunches("bar1024,fast", beginClean,
               [&] { fast<<<rows, 256>>>(a, b, w); });
  timeLaunches("bar1024,as told", beginClean,
               [&] { fast<<<rows, 128>>>(a, b, w); });
}
