//===- volatile8.cu - coefficients that are no longer volatile -*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const volatile float *c, float *b, int n,
                     int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i], t = 0;
  for (int k = 0; k < terms; k++)
    t = t * v + c[k];
  b[i] = t;
}
__global__ void fast(const float *a, const float *c, float *b, int n,
                     int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i], t = 0;
  for (int k = 0; k < terms; k++)
    t = t * v + c[k];
  b[i] = t;
}
int main() {
  const int n = 1 << 21, terms = 64;
  float *a = numbers<float>(n), *b = numbers<float>(n),
        *c = numbers<float>(terms);
  timeLaunches("volatile8,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, c, b, n, terms); });
  timeLaunches("volatile8,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, c, b, n, terms); });
}
