//===- shortrow.cu - several short rows a block ----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int w) {
  int r = blockIdx.x, c = threadIdx.x;
  float v = c < w ? a[r * w + c] : 0, s = v;
  for (int o = 16; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  if (c < w)
    b[r * w + c] = v - s;
}
__global__ void fast(const float *a, float *b, int w) {
  int r = blockIdx.x * 8 + threadIdx.x / 32, c = threadIdx.x % 32;
  float v = c < w ? a[r * w + c] : 0, s = v;
  for (int o = 16; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  if (c < w)
    b[r * w + c] = v - s;
}
__global__ void wide(const float4 *a, float4 *b, int w) {
  int r = blockIdx.x * 4 + threadIdx.x / 8, c = threadIdx.x % 8;
  float4 v = c < w / 4 ? a[r * (w / 4) + c] : make_float4(0, 0, 0, 0);
  float s = v.x + v.y + v.z + v.w;
  for (int o = 4; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  if (c < w / 4)
    b[r * (w / 4) + c] = make_float4(v.x - s, v.y - s, v.z - s, v.w - s);
}
int main() {
  const int rows = 1 << 18, w = 24;
  float *a = zeros<float>(rows * w), *b = zeros<float>(rows * w);
  timeLaunches("shortrow,slow", beginClean,
               [&] { slow<<<rows, 32>>>(a, b, w); });
  timeLaunches("shortrow,wide", beginClean, [&] {
    wide<<<rows / 4, 32>>>((const float4 *)a, (float4 *)b, w);
  });
  timeLaunches("shortrow,fast", beginClean,
               [&] { fast<<<rows / 8, 256>>>(a, b, w); });
}
