//===- wide2.cu - double2 --------------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const short *a, short *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = a[i] + 3;
}
__global__ void fast(const short *a, short *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4)
    return;
  short4 v = ((const short4 *)a)[i];
  v.x += 3;
  v.y += 3;
  v.z += 3;
  v.w += 3;
  ((short4 *)b)[i] = v;
}
int main() {
  const int n = 1 << 25;
  short *a = zeros<short>(n), *b = zeros<short>(n);
  timeLaunches("wide2,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("wide2,fast", beginClean,
               [&] { fast<<<n / 1024, 256>>>(a, b, n); });
}
