//===- bytesum.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bytes of a line one by one; cure: uint4.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = 0; k < 64; k++)
    sum += a[i * 64 + k];
  b[i] = sum;
}
__device__ int four(unsigned v) {
  return (v & 255) + (v >> 8 & 255) + (v >> 16 & 255) + (v >> 24);
}
__global__ void fast(const uint4 *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    uint4 v = a[i * 4 + k];
    sum += four(v.x) + four(v.y) + four(v.z) + four(v.w);
  }
  b[i] = sum;
}
int main() {
  const int n = 1 << 19;
  unsigned char *a = zeros<unsigned char>(64 * n);
  int *b = zeros<int>(n);
  timeLaunches("bytesum,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("bytesum,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((uint4 *)a, b, n); });
}
