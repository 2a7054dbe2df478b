//===- classsum.cu - sums of ten classes in shared memory first *- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *label, const float *x, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sum[label[i] % 10], x[i]);
}
__global__ void fast(const int *label, const float *x, float *sum, int n) {
  __shared__ float s[10];
  if (threadIdx.x < 10)
    s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&s[label[i] % 10], x[i]);
  __syncthreads();
  if (threadIdx.x < 10)
    atomicAdd(&sum[threadIdx.x], s[threadIdx.x]);
}
__global__ void choose(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  a[i] = (x ^ x >> 15) * 2246822519u >> 8;
}
int main() {
  const int n = 1 << 22;
  int *label = zeros<int>(n);
  float *x = numbers<float>(n), *sum = numbers<float>(10);
  choose<<<n / 256, 256>>>(label);
  timeLaunches("classsum,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(label, x, sum, n); });
  timeLaunches("classsum,fast", beginClean,
               [&] { fast<<<1056, 256>>>(label, x, sum, n); });
}
