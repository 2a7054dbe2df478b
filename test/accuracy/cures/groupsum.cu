//===- groupsum.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sums and counts of groups in global memory; cure: in shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void choose(int *id, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  id[i] = ((x ^ x >> 15) * 2246822519u >> 5) % n;
}
__global__ void slow(const int *key, const float *v, float *sum, int *count,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int k = key[i] & 63;
  atomicAdd(&sum[k], v[i]);
  atomicAdd(&count[k], 1);
}
__global__ void fast(const int *key, const float *v, float *sum, int *count,
                     int n) {
  __shared__ float sums[64];
  __shared__ int counts[64];
  if (threadIdx.x < 64) {
    sums[threadIdx.x] = 0;
    counts[threadIdx.x] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int k = key[i] & 63;
    atomicAdd(&sums[k], v[i]);
    atomicAdd(&counts[k], 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    atomicAdd(&sum[threadIdx.x], sums[threadIdx.x]);
    atomicAdd(&count[threadIdx.x], counts[threadIdx.x]);
  }
}
int main() {
  const int n = 1 << 22;
  int *k = zeros<int>(n), *c = zeros<int>(64);
  float *v = numbers<float>(n), *s = numbers<float>(64);
  choose<<<n / 256, 256>>>(k, 1 << 20);
  timeLaunches("groupsum,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(k, v, s, c, n); });
  timeLaunches("groupsum,fast", beginClean,
               [&] { fast<<<528, 512>>>(k, v, s, c, n); });
}
