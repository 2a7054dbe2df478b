//===- wrapangle.cu - a floor in place of fmodf ----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, float turn, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  for (int k = 0; k < 16; k++)
    v = fmodf(v + 1.7f * k, turn);
  b[i] = v;
}
__global__ void fast(const float *a, float *b, float turn, float inverse,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  for (int k = 0; k < 16; k++) {
    float x = v + 1.7f * k;
    v = x - turn * truncf(x * inverse);
  }
  b[i] = v;
}
int main() {
  const int n = 1 << 22;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("wrapangle,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, 6.2831853f, n); });
  timeLaunches("wrapangle,fast", beginClean, [&] {
    fast<<<n / 256, 256>>>(a, b, 6.2831853f, 0.15915494f, n);
  });
}
