//===- binsearch.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each thread searches a table in global memory; cure: the table in shared
/// memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ int find(const float *edges, int n, float x) {
  int low = 0, high = n;
  while (low < high) {
    int mid = (low + high) / 2;
    if (edges[mid] < x)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}
__global__ void slow(const float *x, const float *edges, int *at,
                     int edgesCount, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    at[i] = find(edges, edgesCount, x[i]);
}
__global__ void fast(const float *x, const float *edges, int *at,
                     int edgesCount, int n) {
  __shared__ float s[4096];
  for (int k = threadIdx.x; k < edgesCount; k += blockDim.x)
    s[k] = edges[k];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    at[i] = find(s, edgesCount, x[i]);
}
__global__ void fill(float *x, float *edges) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = (unsigned(i) * 2654435761u >> 8) / 16777216.0f;
  if (i < 4096)
    edges[i] = i / 4096.0f;
}
int main() {
  const int n = 1 << 22;
  float *x = numbers<float>(n), *e = numbers<float>(4096);
  int *at = zeros<int>(n);
  fill<<<n / 256, 256>>>(x, e);
  timeLaunches("binsearch,slow", beginClean,
               [&] { slow<<<528, 512>>>(x, e, at, 4096, n); });
  timeLaunches("binsearch,fast", beginClean,
               [&] { fast<<<528, 512>>>(x, e, at, 4096, n); });
}
