//===- labelsum.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers are added to the sum of their label, of which there are sixteen, in
/// global memory; cure: in shared memory first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const int *label, float *sum, int labels,
                     int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&sum[label[i]], x[i]);
}
__global__ void fast(const float *x, const int *label, float *sum, int labels,
                     int n) {
  __shared__ float own[16];
  if (threadIdx.x < 16)
    own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&own[label[i]], x[i]);
  __syncthreads();
  if (threadIdx.x < labels)
    atomicAdd(&sum[threadIdx.x], own[threadIdx.x]);
}
__global__ void fill(int *label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  label[i] = unsigned(i) * 2654435761u >> 28;
}
int main() {
  const int n = 1 << 21;
  float *x = numbers<float>(n), *sum = numbers<float>(16);
  int *label = zeros<int>(n);
  fill<<<n / 256, 256>>>(label);
  timeLaunches("labelsum,slow", beginClean,
               [&] { slow<<<528, 256>>>(x, label, sum, 16, n); });
  timeLaunches("labelsum,fast", beginClean,
               [&] { fast<<<528, 256>>>(x, label, sum, 16, n); });
}
