//===- row.cu - a warp a row -----------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int w) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int c = 0; c < w; c++)
    s += a[r * w + c];
  b[r] = s;
}
__global__ void fast(const float *a, float *b, int w) {
  int r = blockIdx.x * 8 + threadIdx.x / 32, l = threadIdx.x % 32;
  float s = 0;
  for (int c = l; c < w; c += 32)
    s += a[r * w + c];
  for (int o = 16; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  if (l == 0)
    b[r] = s;
}
int main() {
  const int w = 4096;
  float *a = zeros<float>(w * w), *b = zeros<float>(w * w);
  timeLaunches("row,slow", begin, [&] { slow<<<w / 256, 256>>>(a, b, w); });
  timeLaunches("row,fast", begin, [&] { fast<<<w / 8, 256>>>(a, b, w); });
}
