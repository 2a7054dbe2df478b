//===- hist.cu - count in shared memory ------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
__global__ void fillBytes(unsigned char *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  i = (i ^ 61u) * 2654435761u;
  a[blockIdx.x * blockDim.x + threadIdx.x] = i >> 24;
}
__global__ void slow(const unsigned char *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(b + a[i], 1);
}
__global__ void fast(const unsigned char *a, int *b, int n) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(bins + a[i], 1);
  __syncthreads();
  atomicAdd(b + threadIdx.x, bins[threadIdx.x]);
}
int main() {
  const int n = 1 << 24;
  unsigned char *a = zeros<unsigned char>(n);
  int *b = zeros<int>(256);
  fillBytes<<<n / 256, 256>>>(a);
  timeLaunches("hist,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("hist,fast", beginClean, [&] { fast<<<1056, 256>>>(a, b, n); });
}
