//===- records.cu - sixteen bytes at once of a record's sum ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *a, unsigned *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned hash = 2166136261u;
  for (int k = 0; k < 64; k++)
    hash = (hash ^ a[i * 64 + k]) * 16777619u;
  b[i] = hash;
}
__global__ void fast(const uint4 *a, unsigned *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned hash = 2166136261u;
  for (int k = 0; k < 4; k++) {
    uint4 v = a[i * 4 + k];
    unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int q = 0; q < 16; q++)
      hash = (hash ^ (w[q / 4] >> q % 4 * 8 & 255)) * 16777619u;
  }
  b[i] = hash;
}
int main() {
  const int n = 1 << 21;
  unsigned char *a = zeros<unsigned char>(64 * n);
  unsigned *b = zeros<unsigned>(n);
  timeLaunches("records,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("records,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((uint4 *)a, b, n); });
}
