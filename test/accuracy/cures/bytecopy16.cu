//===- bytecopy16.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Records of 16 bytes, copied byte by byte to where an index says; cure: one
/// access of 16 bytes.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *in, const int *to, unsigned char *out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int j = to[i];
  for (int k = 0; k < 16; k++)
    out[j * 16 + k] = in[i * 16 + k];
}
__global__ void fast(const uint4 *in, const int *to, uint4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[to[i]] = in[i];
}
__global__ void fill(int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = (i + n / 3) % n;
}
int main() {
  const int n = 1 << 22;
  unsigned char *a = zeros<unsigned char>(n * 16);
  unsigned char *b = zeros<unsigned char>(n * 16);
  int *to = zeros<int>(n);
  fill<<<n / 256, 256>>>(to, n);
  timeLaunches("bytecopy16,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, to, b, n); });
  timeLaunches("bytecopy16,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((uint4 *)a, to, (uint4 *)b, n); });
}
