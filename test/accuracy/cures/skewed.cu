//===- skewed.cu - bins of each warp where one bin is hot ------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *a, int *bins, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&s[a[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
__global__ void fast(const unsigned char *a, int *bins, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  int before = -1, run = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int v = a[i];
    if (v == before) {
      run++;
    } else {
      if (run)
        atomicAdd(&s[before], run);
      before = v;
      run = 1;
    }
  }
  if (run)
    atomicAdd(&s[before], run);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
__global__ void draw(unsigned char *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  x = (x ^ x >> 15) * 2246822519u;
  a[i] = x >> 28 ? 17 : x >> 8;
}
int main() {
  const int n = 1 << 24;
  unsigned char *a = zeros<unsigned char>(n);
  int *bins = zeros<int>(256);
  draw<<<n / 256, 256>>>(a);
  timeLaunches("skewed,slow", beginClean,
               [&] { slow<<<132 * 8, 256>>>(a, bins, n); });
  timeLaunches("skewed,fast", beginClean,
               [&] { fast<<<132 * 8, 256>>>(a, bins, n); });
}
