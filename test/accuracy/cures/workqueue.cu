//===- workqueue.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each thread fetches its next item by an atomic; cure: strides.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float work(const float *a, int i) {
  float v = a[i];
  for (int k = 0; k < 8; k++)
    v = v * v + 0.25f;
  return v;
}
__global__ void slow(const float *a, float *out, int *next, int n) {
  for (int i = atomicAdd(next, 1); i < n; i = atomicAdd(next, 1))
    out[i] = work(a, i);
}
__global__ void fast(const float *a, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = work(a, i);
}
int main() {
  const int n = 1 << 22;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  static int *next = zeros<int>(1);
  auto prepare = [] {
    cudaMemset(next, 0, 4);
    beginClean();
  };
  timeLaunches("workqueue,slow", prepare,
               [&] { slow<<<1056, 256>>>(a, b, next, n); });
  timeLaunches("workqueue,fast", beginClean,
               [&] { fast<<<1056, 256>>>(a, b, n); });
}
