//===- centroids.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Points added to 16 centers by atomics in global memory; cure: sums of a
/// block in shared memory first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float2 *p, const int *label, float *sum,
                     int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = label[i];
  atomicAdd(&sum[2 * c], p[i].x);
  atomicAdd(&sum[2 * c + 1], p[i].y);
  atomicAdd(&count[c], 1);
}
__global__ void fast(const float2 *p, const int *label, float *sum,
                     int *count) {
  __shared__ float s[32];
  __shared__ int n[16];
  if (threadIdx.x < 32)
    s[threadIdx.x] = 0;
  if (threadIdx.x < 16)
    n[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = label[i];
  atomicAdd(&s[2 * c], p[i].x);
  atomicAdd(&s[2 * c + 1], p[i].y);
  atomicAdd(&n[c], 1);
  __syncthreads();
  if (threadIdx.x < 32)
    atomicAdd(&sum[threadIdx.x], s[threadIdx.x]);
  if (threadIdx.x < 16)
    atomicAdd(&count[threadIdx.x], n[threadIdx.x]);
}
__global__ void turns(const float2 *p, const int *label, float *sum, int *count,
                      int points) {
  __shared__ float s[32];
  __shared__ int n[16];
  if (threadIdx.x < 32)
    s[threadIdx.x] = 0;
  if (threadIdx.x < 16)
    n[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < points;
       i += gridDim.x * blockDim.x) {
    int c = label[i];
    atomicAdd(&s[2 * c], p[i].x);
    atomicAdd(&s[2 * c + 1], p[i].y);
    atomicAdd(&n[c], 1);
  }
  __syncthreads();
  if (threadIdx.x < 32)
    atomicAdd(&sum[threadIdx.x], s[threadIdx.x]);
  if (threadIdx.x < 16)
    atomicAdd(&count[threadIdx.x], n[threadIdx.x]);
}
__global__ void fill(int *label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  label[i] = unsigned(i) * 2654435761u >> 28;
}
int main() {
  const int n = 1 << 20;
  auto *p = numbers<float2>(n);
  int *l = zeros<int>(n), *c = zeros<int>(16);
  float *s = numbers<float>(32);
  fill<<<n / 256, 256>>>(l);
  timeLaunches("centroids,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(p, l, s, c); });
  timeLaunches("centroids,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, l, s, c); });
  timeLaunches("centroids,turns", beginClean,
               [&] { turns<<<1056, 256>>>(p, l, s, c, n); });
}
