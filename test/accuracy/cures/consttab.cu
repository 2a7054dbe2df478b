//===- consttab.cu - a table that lanes read apart -------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__constant__ float curve[1024];

__global__ void slow(const int *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = 0;
  for (int k = 0; k < 8; k++)
    t += curve[a[k * n + i] & 1023];
  b[i] = t;
}
__global__ void fast(const int *a, const float *__restrict__ of, float *b,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = 0;
  for (int k = 0; k < 8; k++)
    t += of[a[k * n + i] & 1023];
  b[i] = t;
}
__global__ void fill(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = (unsigned)i * 2654435761u >> 8;
}
int main() {
  const int n = 1 << 20;
  int *a = zeros<int>(8 * n);
  float *b = zeros<float>(n), *of = zeros<float>(1024);
  fill<<<8 * n / 256, 256>>>(a);
  timeLaunches("consttab,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("consttab,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, of, b, n); });
}
