//===- invexp.cu - an invariant that stores keep in ------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const float *t, float *y, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < m; k++)
    y[i] += x[k] * (expf(-t[i]) / (1.0f + t[i]));
}
__global__ void fast(const float *__restrict__ x, const float *__restrict__ t,
                     float *__restrict__ y, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < m; k++)
    y[i] += x[k] * (expf(-t[i]) / (1.0f + t[i]));
}
int main() {
  const int n = 1 << 19, m = 128;
  float *x = zeros<float>(m), *t = zeros<float>(n), *y = zeros<float>(n);
  timeLaunches("invexp,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, t, y, m); });
  timeLaunches("invexp,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, t, y, m); });
}
