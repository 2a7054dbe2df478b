//===- byte4.cu - uchar4 ---------------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const unsigned char *a, unsigned char *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = a[i] ^ 85;
}
__global__ void fast(const unsigned char *a, unsigned char *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4)
    return;
  uchar4 v = ((const uchar4 *)a)[i];
  v.x ^= 85;
  v.y ^= 85;
  v.z ^= 85;
  v.w ^= 85;
  ((uchar4 *)b)[i] = v;
}
int main() {
  const int n = 1 << 26;
  unsigned char *a = zeros<unsigned char>(n), *b = zeros<unsigned char>(n);
  timeLaunches("byte4,slow", begin, [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("byte4,fast", begin, [&] { fast<<<n / 1024, 256>>>(a, b, n); });
}
