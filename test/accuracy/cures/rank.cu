//===- rank.cu - A kernel with one finding --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each thread reads all words; cure: four at a time, of a tile.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, int *rank, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = a[i];
  int less = 0;
  for (int j = 0; j < n; j++)
    less += a[j] < own;
  rank[i] = less;
}
__global__ void fast(const float4 *a, int *rank, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = ((const float *)a)[i];
  int less = 0;
  for (int j = 0; j < n / 4; j++) {
    float4 v = a[j];
    less += (v.x < own) + (v.y < own) + (v.z < own) + (v.w < own);
  }
  rank[i] = less;
}
int main() {
  const int n = 1 << 16;
  float *a = numbers<float>(n);
  int *b = zeros<int>(n);
  timeLaunches("rank,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("rank,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((float4 *)a, b, n); });
}
