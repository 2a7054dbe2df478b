//===- jointhist.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pairs of bytes are counted in global memory; cure: in shared memory first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *a, const unsigned char *b,
                     unsigned *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&bins[(a[i] >> 3) * 32 + (b[i] >> 3)], 1u);
}
__global__ void fast(const unsigned char *a, const unsigned char *b,
                     unsigned *bins, int n) {
  __shared__ unsigned own[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&own[(a[i] >> 3) * 32 + (b[i] >> 3)], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    atomicAdd(&bins[k], own[k]);
}
__global__ void fill(unsigned char *a, unsigned char *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = unsigned(i) * 2654435761u >> 24;
  b[i] = unsigned(i) * 2246822519u >> 24;
}
int main() {
  const int n = 1 << 24;
  unsigned char *a = zeros<unsigned char>(n), *b = zeros<unsigned char>(n);
  unsigned *bins = zeros<unsigned>(1024);
  fill<<<n / 256, 256>>>(a, b);
  timeLaunches("jointhist,slow", beginClean,
               [&] { slow<<<1056, 256>>>(a, b, bins, n); });
  timeLaunches("jointhist,fast", beginClean,
               [&] { fast<<<1056, 256>>>(a, b, bins, n); });
}
