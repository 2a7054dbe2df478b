//===- bytehist.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A histogram of bytes in global memory; cure: one in shared memory first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *x, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[x[i]], 1);
}
__global__ void fast(const unsigned char *x, unsigned *bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&own[x[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void fill(unsigned char *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = unsigned(i) * 2654435761u >> 24;
}
int main() {
  const int n = 1 << 24;
  auto *x = zeros<unsigned char>(n);
  auto *b = zeros<unsigned>(256);
  fill<<<n / 256, 256>>>(x);
  timeLaunches("bytehist,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, b, n); });
  timeLaunches("bytehist,fast", beginClean,
               [&] { fast<<<1056, 256>>>(x, b, n); });
}
