//===- blocklock.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Blocks wait for a lock to update a maximum; cure: an atomic.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *a, volatile int *best, int *lock) {
  __shared__ int s[256];
  s[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int d = 128; d; d /= 2) {
    if (threadIdx.x < d)
      s[threadIdx.x] = max(s[threadIdx.x], s[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1))
      ;
    __threadfence();
    if (s[0] > *best)
      *best = s[0];
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void fast(const int *a, int *best) {
  __shared__ int s[256];
  s[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int d = 128; d; d /= 2) {
    if (threadIdx.x < d)
      s[threadIdx.x] = max(s[threadIdx.x], s[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicMax(best, s[0]);
}
int main() {
  const int n = 1 << 21;
  int *a = zeros<int>(n), *b = zeros<int>(1), *l = zeros<int>(1);
  timeLaunches("blocklock,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, l); });
  timeLaunches("blocklock,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b); });
}
