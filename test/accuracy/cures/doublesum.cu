//===- doublesum.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A sum of floats in double; cure: in float.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int k = 0; k < 64; k++) {
    float v = a[k * n + i];
    sum += (double)v * v * 0.5 + v * 0.25 + 0.125;
  }
  b[i] = sum;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; k++) {
    float v = a[k * n + i];
    sum += v * v * 0.5f + v * 0.25f + 0.125f;
  }
  b[i] = sum;
}
int main() {
  const int n = 1 << 18;
  float *a = numbers<float>(64 * n), *b = numbers<float>(n);
  timeLaunches("doublesum,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("doublesum,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
