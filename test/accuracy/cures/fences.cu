//===- fences.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A fence behind each store; cure: none is needed.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; k++) {
    b[k * n + i] = a[k * n + i] * 2;
    __threadfence();
  }
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; k++)
    b[k * n + i] = a[k * n + i] * 2;
}
int main() {
  const int n = 1 << 20;
  float *a = numbers<float>(16 * n), *b = numbers<float>(16 * n);
  timeLaunches("fences,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("fences,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
