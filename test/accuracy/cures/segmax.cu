//===- segmax.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The maximum of sorted segments by an atomic of each number; cure: the warp
/// takes the maximum of each run of one segment first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *value, const int *segment, int *most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicMax(&most[segment[i]], value[i]);
}
__global__ void fast(const int *value, const int *segment, int *most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int s = segment[i], v = value[i];
  for (int d = 1; d < 32; d *= 2) {
    int before = __shfl_up_sync(~0u, s, d), other = __shfl_up_sync(~0u, v, d);
    if (lane >= d && before == s)
      v = max(v, other);
  }
  int behind = __shfl_down_sync(~0u, s, 1);
  if (lane == 31 || behind != s)
    atomicMax(&most[s], v);
}
__global__ void fill(int *value, int *segment) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  segment[i] = i / 100;
  value[i] = i * 2654435761u >> 1;
}
int main() {
  const int n = 1 << 22, segments = n / 100 + 1;
  int *value = zeros<int>(n), *segment = zeros<int>(n);
  int *most = zeros<int>(segments);
  fill<<<n / 256, 256>>>(value, segment);
  timeLaunches("segmax,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(value, segment, most, n); });
  timeLaunches("segmax,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(value, segment, most, n); });
}
