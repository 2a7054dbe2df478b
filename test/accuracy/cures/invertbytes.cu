//===- invertbytes.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One byte a thread; cure: sixteen.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *x, unsigned char *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 255 - x[i];
}
__global__ void fast(const uint4 *x, uint4 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 16)
    return;
  uint4 v = x[i];
  y[i] = make_uint4(~v.x, ~v.y, ~v.z, ~v.w);
}
int main() {
  const int n = 1 << 25;
  auto *x = zeros<unsigned char>(n), *y = zeros<unsigned char>(n);
  timeLaunches("invertbytes,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, y, n); });
  timeLaunches("invertbytes,fast", beginClean,
               [&] { fast<<<n / 4096, 256>>>((uint4 *)x, (uint4 *)y, n); });
}
