//===- bitcount.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Set bits of words, shifted out one by one; cure: __popc.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = a[i];
  int count = 0;
  for (int k = 0; k < 32; k++) {
    if (x & 1)
      count++;
    x >>= 1;
  }
  b[i] = count;
}
__global__ void fast(const unsigned *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = __popc(a[i]);
}
int main() {
  const int n = 1 << 24;
  unsigned *a = zeros<unsigned>(n);
  int *b = zeros<int>(n);
  timeLaunches("bitcount,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("bitcount,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
