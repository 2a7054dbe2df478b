//===- idiv.cu - division by an invariant ----------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *a, int *b, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = a[i];
  for (int k = 0; k < 8; k++)
    v = (v + 12345) / d + k;
  b[i] = v;
}
__global__ void fast(const int *a, int *b, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = a[i];
  for (int k = 0; k < 8; k++)
    v = (v + 12345) / 7 + k;
  b[i] = v;
}
int main() {
  const int n = 1 << 24;
  int *a = zeros<int>(n), *b = zeros<int>(n);
  timeLaunches("idiv,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n, 7); });
  timeLaunches("idiv,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n, 7); });
}
