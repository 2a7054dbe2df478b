//===- ringsum.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A remainder for each place of a ring; cure: a comparison.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; k++)
    sum += a[(i + k) % n];
  b[i] = sum;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; k++) {
    int at = i + k;
    sum += a[at < n ? at : at - n];
  }
  b[i] = sum;
}
int main() {
  const int n = 1 << 22;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("ringsum,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("ringsum,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
