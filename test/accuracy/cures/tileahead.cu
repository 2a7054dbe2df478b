//===- tileahead.cu - the next tile under way while one is used *- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int tiles) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  const float *own = a + (size_t)blockIdx.x * tiles * 8192;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    for (int j = 0; j < 32; j++)
      s[j * 256 + t] = own[k * 8192 + j * 256 + t];
    __syncthreads();
    for (int j = 0; j < 64; j++)
      sum += s[(t * 33 + j * 97) & 8191] * s[(t + j * 129) & 8191];
    __syncthreads();
  }
  b[blockIdx.x * 256 + t] = sum;
}
__global__ void fast(const float *a, float *b, int tiles) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  const float *own = a + (size_t)blockIdx.x * tiles * 8192;
  float sum = 0, next[32];
#pragma unroll
  for (int j = 0; j < 32; j++)
    next[j] = own[j * 256 + t];
  for (int k = 0; k < tiles; k++) {
#pragma unroll
    for (int j = 0; j < 32; j++)
      s[j * 256 + t] = next[j];
    __syncthreads();
    if (k + 1 < tiles)
#pragma unroll
      for (int j = 0; j < 32; j++)
        next[j] = own[(k + 1) * 8192 + j * 256 + t];
    for (int j = 0; j < 64; j++)
      sum += s[(t * 33 + j * 97) & 8191] * s[(t + j * 129) & 8191];
    __syncthreads();
  }
  b[blockIdx.x * 256 + t] = sum;
}
int main() {
  const int blocks = 132, tiles = 32;
  float *a = numbers<float>((size_t)blocks * tiles * 8192);
  float *b = numbers<float>(blocks * 256);
  timeLaunches("tileahead,slow", beginClean,
               [&] { slow<<<blocks, 256>>>(a, b, tiles); });
  timeLaunches("tileahead,fast", beginClean,
               [&] { fast<<<blocks, 256>>>(a, b, tiles); });
}
