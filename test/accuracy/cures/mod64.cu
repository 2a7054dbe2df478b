//===- mod64.cu - a remainder of 32 bits -----------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
__global__ void slow(const long long *a, long long *b, long long m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] % m;
}
__global__ void fast(const long long *a, long long *b, long long m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = (unsigned)a[i] % (unsigned)m;
}
int main() {
  const int n = 1 << 23;
  long long *a = zeros<long long>(n), *b = zeros<long long>(n);
  timeLaunches("mod64,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, 12345); });
  timeLaunches("mod64,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, 12345); });
}
