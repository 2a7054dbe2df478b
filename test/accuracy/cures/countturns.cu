//===- countturns.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Count as it is advised: in registers, by blocks in turns.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *a, int *hits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 0)
    atomicAdd(hits, 1);
}
__global__ void fast(const int *a, int *hits, int n) {
  __shared__ int warps[8];
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    own += a[i] > 0;
  for (int d = 16; d; d /= 2)
    own += __shfl_down_sync(~0u, own, d);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; w++)
      own += warps[w];
    atomicAdd(hits, own);
  }
}
__global__ void ones(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main() {
  const int n = 1 << 23;
  int *a = zeros<int>(n), *h = zeros<int>(1);
  ones<<<n / 256, 256>>>(a);
  timeLaunches("countturns,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, h, n); });
  timeLaunches("countturns,fast", beginClean,
               [&] { fast<<<1056, 256>>>(a, h, n); });
}
