//===- rowtile.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each warp has a row of a tile of its own; cure: no barriers of the block.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int rounds) {
  __shared__ float s[8][32];
  int lane = threadIdx.x, row = threadIdx.y;
  size_t i = (blockIdx.x * 8 + row) * 32 + lane;
  float v = a[i];
  for (int k = 0; k < rounds; k++) {
    s[row][lane] = v;
    __syncthreads();
    float left = s[row][(lane + 31) & 31], right = s[row][(lane + 1) & 31];
    __syncthreads();
    v = 0.25f * left + 0.5f * v + 0.25f * right;
  }
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int rounds) {
  int lane = threadIdx.x, row = threadIdx.y;
  size_t i = (blockIdx.x * 8 + row) * 32 + lane;
  float v = a[i];
  for (int k = 0; k < rounds; k++) {
    float left = __shfl_sync(~0u, v, (lane + 31) & 31);
    float right = __shfl_sync(~0u, v, (lane + 1) & 31);
    v = 0.25f * left + 0.5f * v + 0.25f * right;
  }
  b[i] = v;
}
int main() {
  const int n = 1 << 21;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("rowtile,slow", beginClean,
               [&] { slow<<<n / 256, dim3(32, 8)>>>(a, b, 50); });
  timeLaunches("rowtile,fast", beginClean,
               [&] { fast<<<n / 256, dim3(32, 8)>>>(a, b, 50); });
}
