//===- dsqrt.cu - A kernel with one finding -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A distance by functions of doubles; cure: of floats.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const float *y, float *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  d[i] = sqrt(pow((double)x[i], 2.0) + pow((double)y[i], 2.0));
}
__global__ void fast(const float *x, const float *y, float *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  d[i] = sqrtf(x[i] * x[i] + y[i] * y[i]);
}
int main() {
  const int n = 1 << 22;
  float *x = numbers<float>(n), *y = numbers<float>(n), *d = numbers<float>(n);
  timeLaunches("dsqrt,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, y, d); });
  timeLaunches("dsqrt,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, y, d); });
}
