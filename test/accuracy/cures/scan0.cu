//===- scan0.cu - thread 0 adds up what comes before -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *lengths, int *starts) {
  __shared__ int before[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  before[t] = lengths[base + t];
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < 256; ++i) {
      int v = before[i];
      before[i] = sum;
      sum += v;
    }
  }
  __syncthreads();
  starts[base + t] = before[t];
}
__global__ void fast(const int *lengths, int *starts) {
  __shared__ int before[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  int own = lengths[base + t];
  before[t] = own;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int v = t >= d ? before[t - d] : 0;
    __syncthreads();
    before[t] += v;
    __syncthreads();
  }
  starts[base + t] = before[t] - own;
}
int main() {
  const int n = 1 << 20;
  int *a = zeros<int>(n), *b = zeros<int>(n);
  timeLaunches("scan0,slow", beginClean, [&] { slow<<<n / 256, 256>>>(a, b); });
  timeLaunches("scan0,fast", beginClean, [&] { fast<<<n / 256, 256>>>(a, b); });
}
