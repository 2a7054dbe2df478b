//===- segsum.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sorted segments are summed by an atomic for each number; cure: a warp whose
/// numbers are of one segment adds its sum.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const int *segment, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sum[segment[i]], x[i]);
}
__global__ void fast(const float *x, const int *segment, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = segment[i];
  float v = x[i];
  if (__all_sync(~0u, s == __shfl_sync(~0u, s, 0))) {
    for (int step = 16; step; step /= 2)
      v += __shfl_xor_sync(~0u, v, step);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&sum[s], v);
  } else {
    atomicAdd(&sum[s], v);
  }
}
__global__ void fill(int *segment) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  segment[i] = i / 300;
}
int main() {
  const int n = 1 << 23;
  float *x = numbers<float>(n), *sum = numbers<float>(n / 300 + 1);
  int *segment = zeros<int>(n);
  fill<<<n / 256, 256>>>(segment);
  timeLaunches("segsum,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, segment, sum, n); });
  timeLaunches("segsum,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, segment, sum, n); });
}
