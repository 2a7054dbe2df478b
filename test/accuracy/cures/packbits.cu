//===- packbits.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each thread sets a bit of a word; cure: a ballot.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, unsigned *bits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (a[i] > 0)
    atomicOr(&bits[i / 32], 1u << (i & 31));
}
__global__ void fast(const float *a, unsigned *bits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned word = __ballot_sync(~0u, a[i] > 0);
  if (threadIdx.x % 32 == 0)
    bits[i / 32] = word;
}
__global__ void fill(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i % 3 - 1;
}
int main() {
  const int n = 1 << 24;
  float *a = numbers<float>(n);
  unsigned *b = zeros<unsigned>(n / 32);
  fill<<<n / 256, 256>>>(a);
  timeLaunches("packbits,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b); });
  timeLaunches("packbits,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b); });
}
